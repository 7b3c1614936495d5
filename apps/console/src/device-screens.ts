import type { getFleet, listFleets } from '@masthead/contract/alpon-fleets/operations'
import type { listDeployments } from '@masthead/contract/core/operations'
import type { getImage, getRegistry, getRepository, listRobots } from '@masthead/contract/registry/operations'
import type { listSigningKeys } from '@masthead/contract/registry/signing-operations'
import type { listRetention } from '@masthead/contract/registry/retention-operations'
import type { listTerminals, openTerminal } from '@masthead/contract/terminal/operations'
import type { listTunnels } from '@masthead/contract/terminal/tunnel-operations'
import { accessOf, type Screen } from './screen.ts'

/** Screens of fleets, CORE deployments, the registry and terminals. */
export const deviceScreens: Screen[] = [
  {
    path: '/alpon-fleets',
    title: 'Manage Fleets',
    subtitle: 'Devices that are to run the same containers. An asset is in one fleet.',
    teamPermissions: accessOf<typeof listFleets>('alpon_fleets.view'),
    load: () => import('./alpon-fleets/FleetsScreen.tsx'),
  },
  {
    path: '/alpon-fleets/:fleetID',
    title: 'Fleet details',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof getFleet>('alpon_fleets.view'),
    load: () => import('./alpon-fleets/FleetScreen.tsx'),
  },
  {
    path: '/alpon-fleets/:fleetID/assets',
    title: 'Fleet details',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof getFleet>('alpon_fleets.view'),
    load: () => import('./alpon-fleets/FleetScreen.tsx'),
  },
  {
    path: '/core-deployments',
    title: 'CORE Deployments',
    subtitle: 'One token for many devices: each that starts with it becomes an asset, with the tags and the group that you choose.',
    teamPermissions: accessOf<typeof listDeployments>('core.view'),
    load: () => import('./core/CoreDeploymentsScreen.tsx'),
  },
  {
    path: '/core-deployments/:deploymentID',
    title: 'CORE deployment',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof listDeployments>('core.view'),
    load: () => import('./core/CoreDeploymentScreen.tsx'),
  },
  {
    path: '/registry',
    title: 'Container Registry',
    subtitle: 'Images that you push and your devices pull.',
    teamPermissions: accessOf<typeof getRegistry>('registry.view'),
    load: () => import('./registry/RegistryScreen.tsx'),
  },
  {
    path: '/registry/robots',
    title: 'Robots',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof listRobots>('registry.view'),
    load: () => import('./registry/RobotsScreen.tsx'),
  },
  {
    path: '/registry/signing-keys',
    title: 'Signing keys',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof listSigningKeys>('registry.view'),
    load: () => import('./registry/attached/SigningKeysScreen.tsx'),
  },
  {
    path: '/registry/retention',
    title: 'Retention',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof listRetention>('registry.view'),
    load: () => import('./registry/retention/RetentionScreen.tsx'),
  },
  {
    path: '/registry/user/:username/image?/:image?',
    title: 'Repository',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof getRepository>('registry.view'),
    load: () => import('./registry/RepositoryScreen.tsx'),
  },
  {
    path: '/registry/user/:username/image/:image/tag/:tag/digest/:digest',
    title: 'Image',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof getImage>('registry.view'),
    load: () => import('./registry/TagScreen.tsx'),
  },
  {
    path: '/terminals',
    title: 'Terminals',
    subtitle: 'Shells on your devices: who has one open, who had one, and what support may do.',
    teamPermissions: accessOf<typeof listTerminals>('terminal.open'),
    load: () => import('./terminal/TerminalsScreen.tsx'),
  },
  {
    path: '/terminals/support',
    title: 'Terminals',
    subtitle: 'Shells on your devices: who has one open, who had one, and what support may do.',
    teamPermissions: accessOf<typeof listTerminals>('terminal.open'),
    load: () => import('./terminal/TerminalsScreen.tsx'),
  },
  {
    path: '/terminals/tunnels',
    title: 'Terminals',
    subtitle: 'Shells on your devices: who has one open, who had one, and what support may do.',
    teamPermissions: accessOf<typeof listTunnels>('tunnels.open'),
    load: () => import('./terminal/TerminalsScreen.tsx'),
  },
  {
    path: '/core-terminal',
    title: 'Terminal',
    subtitle: '',
    bare: true,
    teamPermissions: accessOf<typeof openTerminal>('terminal.open'),
    load: () => import('./terminal/TerminalScreen.tsx'),
  },
  {
    path: '/terminal',
    title: 'Terminal',
    subtitle: '',
    bare: true,
    teamPermissions: accessOf<typeof openTerminal>('terminal.open'),
    load: () => import('./terminal/TerminalScreen.tsx'),
  },
]

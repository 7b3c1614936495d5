import type { listEnforcements } from '@masthead/contract/assets/enforcement-operations'
import type { getAsset, listAssets, registerAsset } from '@masthead/contract/assets/operations'
import type { listFeeds } from '@masthead/contract/backoffice/feed-operations'
import type { listGateways } from '@masthead/contract/backoffice/gateway-operations'
import type { listOperators } from '@masthead/contract/backoffice/network-operations'
import type { listQuarantine } from '@masthead/contract/backoffice/quarantine-operations'
import type { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import type { listAllPackages } from '@masthead/contract/backoffice/pool-operations'
import type { listDataPools } from '@masthead/contract/datapools/operations'
import type { listApiKeys } from '@masthead/contract/developers/operations'
import type { Operation } from '@masthead/contract/kernel/operation'
import type { listNetworkGroups } from '@masthead/contract/network-groups/operations'
import type { listAlerts } from '@masthead/contract/notifications/operations'
import type { getOverview } from '@masthead/contract/overview/operations'
import type { getTeam } from '@masthead/contract/teams/operations'
import type { getTotalUsage } from '@masthead/contract/usage/operations'
import type { ComponentType } from 'react'
import type { GuardedRoute } from './shell/guard.ts'

/** A screen: where it is, what its banner says, who may see it, and the module it is in. Router, menu (menu.ts) and guard read this list. */
export type Screen = GuardedRoute & {
  path: string
  title: string
  subtitle: string
  /** The screen draws its own banner: its title is the name of a thing. */
  ownBanner?: boolean
  /** Stands alone, without the shell. */
  bare?: boolean
  load: () => Promise<{ default: ComponentType }>
}

type Called = Pick<Operation, 'access'>
/** What a screen's first call asks for. Its type alone is taken: the operations themselves would make the start of the console larger. */
const accessOf = <Op extends Called>(permission: Op['access']) => [permission]
const staff = { permissions: ['backoffice'], backofficeToken: true }
const staffFor = <Op extends Called>(permission: Op['access']) => ({ permissions: ['backoffice', permission], backofficeToken: true })

export const screens: Screen[] = [
  {
    path: '/',
    title: 'Hello',
    subtitle: 'Welcome to Masthead. Manage your assets and tools from one place.',
    teamPermissions: accessOf<typeof getOverview>('overview.view'),
    load: () => import('./overview/OverviewScreen.tsx'),
  },
  {
    path: '/assets',
    title: 'Assets',
    subtitle: 'SIMs, edge devices and the state of their service.',
    teamPermissions: accessOf<typeof listAssets>('assets.view'),
    load: () => import('./assets/AssetsScreen.tsx'),
  },
  {
    path: '/r/:sn',
    title: 'Assets',
    subtitle: 'SIMs, edge devices and the state of their service.',
    teamPermissions: accessOf<typeof registerAsset>('assets.register'),
    load: () => import('./assets/AssetsScreen.tsx'),
  },
  {
    path: '/assets/:assetID',
    title: 'Asset',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof getAsset>('assets.view'),
    load: () => import('./assets/AssetScreen.tsx'),
  },
  {
    path: '/assets/:assetID/network',
    title: 'Asset',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof getAsset>('assets.view'),
    load: () => import('./assets/AssetScreen.tsx'),
  },
  {
    path: '/enforcements',
    title: 'How Limits Were Held',
    subtitle: 'Each data limit that was reached, how fast its session was cut, and what was used beyond it.',
    teamPermissions: accessOf<typeof listEnforcements>('assets.view'),
    load: () => import('./assets/EnforcementsScreen.tsx'),
  },
  {
    path: '/enforcements/:enforcementID',
    title: 'Proof of a cut',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof listEnforcements>('assets.view'),
    load: () => import('./assets/EnforcementScreen.tsx'),
  },
  {
    path: '/network-groups',
    title: 'Manage Network Groups',
    subtitle: 'What the SIMs of a group may use: data, countries, operators and technologies. A SIM is in one group.',
    teamPermissions: accessOf<typeof listNetworkGroups>('network_groups.view'),
    load: () => import('./network-groups/NetworkGroupsScreen.tsx'),
  },
  {
    path: '/network-groups/:groupID',
    title: 'Network group',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof listNetworkGroups>('network_groups.view'),
    load: () => import('./network-groups/NetworkGroupScreen.tsx'),
  },
  {
    path: '/datapools',
    title: 'Manage Data Pools',
    subtitle: 'Packages your SIMs share, what is left in each, and when it will run out.',
    teamPermissions: accessOf<typeof listDataPools>('datapools.view'),
    load: () => import('./datapools/DataPoolsScreen.tsx'),
  },
  {
    path: '/usage/total',
    title: 'Total Cellular Data Usage',
    subtitle: 'What your SIMs sent and received, over time and by group.',
    teamPermissions: accessOf<typeof getTotalUsage>('usage.view'),
    load: () => import('./usage/TotalUsageScreen.tsx'),
  },
  {
    path: '/profile',
    title: 'Profile and Team Management',
    subtitle: 'How you sign in, your account, and who works on it with you.',
    teamPermissions: accessOf<typeof getTeam>('profile.view'),
    load: () => import('./account/ProfileScreen.tsx'),
  },
  {
    path: '/developer',
    title: 'API Keys',
    subtitle: 'Keys and webhooks for programs that work with your account.',
    teamPermissions: accessOf<typeof listApiKeys>('developers.view'),
    load: () => import('./developers/DeveloperScreen.tsx'),
  },
  {
    path: '/activities',
    title: 'Recent Activities',
    subtitle: 'Who changed what on this account, and when.',
    load: () => import('./activities/ActivitiesScreen.tsx'),
  },
  {
    path: '/notifications',
    title: 'Notifications',
    subtitle: 'Invitations to teams, alerts about this account, and how you are notified.',
    teamPermissions: accessOf<typeof listAlerts>('notifications.view'),
    load: () => import('./notifications/NotificationsScreen.tsx'),
  },
  {
    path: '/faq',
    title: 'Frequently Asked Questions',
    subtitle: 'Answers about SIMs, usage, teams and this console.',
    load: () => import('./faq/FaqScreen.tsx'),
  },
  {
    path: '/teams-redirect',
    title: 'Your team',
    subtitle: 'Your permissions on the account you are working on.',
    load: () => import('./shell/TeamsRedirectScreen.tsx'),
  },
  {
    path: '/community',
    title: 'Community',
    subtitle: 'Where people who use Masthead help each other.',
    teamPermissions: ['community'],
    load: () => import('./shell/CommunityScreen.tsx'),
  },
  {
    path: '/contact',
    title: 'Contact',
    subtitle: 'Who to ask about your account, your SIMs and this console.',
    teamPermissions: ['contact'],
    load: () => import('./shell/ContactScreen.tsx'),
  },
  {
    path: '/mail',
    title: 'Demo mailbox',
    subtitle: 'E-mails that this installation would have sent if it had a mail server.',
    load: () => import('./demo/MailScreen.tsx'),
  },
  {
    path: '/masa',
    title: 'Backoffice',
    subtitle: 'Find any customer, asset or gateway, and check the installation.',
    ...staff,
    load: () => import('./backoffice/HomeScreen.tsx'),
  },
  {
    path: '/masa/access',
    title: 'Backoffice Access',
    subtitle: 'Only for staff.',
    permissions: ['backoffice'],
    backofficeAccess: true,
    load: () => import('./backoffice/AccessScreen.tsx'),
  },
  {
    path: '/masa/accounts',
    title: 'Accounts',
    subtitle: 'Every customer of this installation.',
    ...staff,
    load: () => import('./backoffice/AccountsScreen.tsx'),
  },
  {
    path: '/masa/accounts/:email',
    title: 'Account',
    subtitle: '',
    ownBanner: true,
    ...staff,
    load: () => import('./backoffice/AccountScreen.tsx'),
  },
  {
    path: '/masa/assets/:assetID',
    title: 'Asset',
    subtitle: '',
    ownBanner: true,
    ...staff,
    load: () => import('./backoffice/StaffAssetScreen.tsx'),
  },
  {
    path: '/masa/stock',
    title: 'Stock',
    subtitle: 'Assets that can be registered, and who has registered them.',
    ...staff,
    load: () => import('./backoffice/StockScreen.tsx'),
  },
  {
    path: '/masa/logs',
    title: 'Backoffice Audit Logs',
    subtitle: 'What staff viewed, changed, and were refused.',
    ...staffFor<typeof listStaffLog>('audit_logs'),
    load: () => import('./backoffice/LogsScreen.tsx'),
  },
  {
    path: '/masa/networks',
    title: 'Network List',
    subtitle: 'Mobile networks, with the cost and price of their traffic.',
    ...staffFor<typeof listOperators>('manage_networks'),
    load: () => import('./networks/NetworksScreen.tsx'),
  },
  {
    path: '/masa/datapools',
    title: 'Data Pools',
    subtitle: 'Packages that are offered, and the pools of every customer.',
    ...staffFor<typeof listAllPackages>('manage_datapools'),
    load: () => import('./datapools/StaffPoolsScreen.tsx'),
  },
  {
    path: '/masa/gateways',
    title: 'Gateways',
    subtitle: 'The packet gateways that may report by RADIUS.',
    ...staffFor<typeof listGateways>('manage_networks'),
    load: () => import('./networks/GatewaysScreen.tsx'),
  },
  {
    path: '/masa/feeds',
    title: 'Feeds',
    subtitle: 'Usage that programs and CDR files report beside RADIUS.',
    ...staffFor<typeof listFeeds>('manage_networks'),
    load: () => import('./feeds/FeedsScreen.tsx'),
  },
  {
    path: '/masa/quarantine',
    title: 'Quarantine',
    subtitle: 'Usage that was reported and not counted.',
    ...staffFor<typeof listQuarantine>('manage_networks'),
    load: () => import('./backoffice/QuarantineScreen.tsx'),
  },
  { path: '/login', title: 'Sign in', subtitle: '', public: true, bare: true, load: () => import('./auth/LoginScreen.tsx') },
  {
    path: '/forgot-password',
    title: 'Forgot your password?',
    subtitle: '',
    public: true,
    bare: true,
    load: () => import('./auth/ForgotPasswordScreen.tsx'),
  },
  {
    path: '/reset-password',
    title: 'Set a new password',
    subtitle: '',
    public: true,
    bare: true,
    load: () => import('./auth/ResetPasswordScreen.tsx'),
  },
  {
    path: '/confirm-email',
    title: 'Confirm your e-mail address',
    subtitle: '',
    public: true,
    bare: true,
    load: () => import('./auth/ConfirmEmailScreen.tsx'),
  },
  { path: '/docs', title: 'API', subtitle: '', public: true, bare: true, load: () => import('./developers/ApiDocsScreen.tsx') },
  { path: '/privacy', title: 'Privacy Policy', subtitle: '', public: true, bare: true, load: () => import('./shell/PrivacyScreen.tsx') },
  { path: '/terms', title: 'Terms of Use', subtitle: '', public: true, bare: true, load: () => import('./shell/TermsScreen.tsx') },
]

import { RadioTower, CardSim, KeyRound, LayoutDashboard, LifeBuoy, Router, ScrollText, ShieldQuestion, Users } from 'lucide-react'
import type { ComponentType } from 'react'
import type { GuardedRoute } from './shell/guard.ts'
import type { MenuGroup } from './shell/menu.ts'

/** A screen: where it is, what its banner says, who may see it, and the module it is in. Router, menu and guard read this list. */
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

const staff = { permissions: ['backoffice'], backofficeToken: true }
const networkStaff = { permissions: ['backoffice', 'manage_networks'], backofficeToken: true }

export const screens: Screen[] = [
  {
    path: '/',
    title: 'Hello',
    subtitle: 'Welcome to Masthead. Manage your assets and tools from one place.',
    teamPermissions: ['overview.view'],
    load: () => import('./overview/OverviewScreen.tsx'),
  },
  {
    path: '/assets',
    title: 'Assets',
    subtitle: 'SIMs, edge devices and the state of their service.',
    teamPermissions: ['assets.view'],
    load: () => import('./assets/AssetsScreen.tsx'),
  },
  {
    path: '/r/:sn',
    title: 'Assets',
    subtitle: 'SIMs, edge devices and the state of their service.',
    teamPermissions: ['assets.register'],
    load: () => import('./assets/AssetsScreen.tsx'),
  },
  {
    path: '/assets/:assetID',
    title: 'Asset',
    subtitle: '',
    ownBanner: true,
    teamPermissions: ['assets.view'],
    load: () => import('./assets/AssetScreen.tsx'),
  },
  {
    path: '/usage/total',
    title: 'Total Cellular Data Usage',
    subtitle: 'What your SIMs sent and received, over time and by group.',
    teamPermissions: ['usage.view'],
    load: () => import('./usage/TotalUsageScreen.tsx'),
  },
  {
    path: '/profile',
    title: 'Profile and Team Management',
    subtitle: 'How you sign in, your account, and who works on it with you.',
    teamPermissions: ['profile.view'],
    load: () => import('./account/ProfileScreen.tsx'),
  },
  {
    path: '/developer',
    title: 'API Keys',
    subtitle: 'Keys and webhooks for programs that work with your account.',
    teamPermissions: ['developers.view'],
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
    subtitle: 'Invitations to teams, alerts about this account, and how you are told of them.',
    teamPermissions: ['notifications.view'],
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
    subtitle: 'What you may see on the account you are working on.',
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
    title: 'Mail of the demo',
    subtitle: 'What would have been sent if this installation had a mail server.',
    load: () => import('./demo/MailScreen.tsx'),
  },
  {
    path: '/masa',
    title: 'Backoffice',
    subtitle: 'Find any customer, asset or gateway, and see how the installation is.',
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
    subtitle: 'What can be registered, and to whom it was.',
    ...staff,
    load: () => import('./backoffice/StockScreen.tsx'),
  },
  {
    path: '/masa/logs',
    title: 'Backoffice Audit Logs',
    subtitle: 'What staff did, looked at, and were refused.',
    permissions: ['backoffice', 'audit_logs'],
    backofficeToken: true,
    load: () => import('./backoffice/LogsScreen.tsx'),
  },
  {
    path: '/masa/networks',
    title: 'Network List',
    subtitle: 'Mobile networks, and what their traffic costs and is sold for.',
    ...networkStaff,
    load: () => import('./networks/NetworksScreen.tsx'),
  },
  {
    path: '/masa/gateways',
    title: 'Gateways',
    subtitle: 'The packet gateways that may report by RADIUS.',
    ...networkStaff,
    load: () => import('./networks/GatewaysScreen.tsx'),
  },
  {
    path: '/masa/quarantine',
    title: 'Quarantine',
    subtitle: 'Usage that was reported and not counted.',
    ...networkStaff,
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

/** The sidebar in the specification's groups (spec §2). Only screens that exist have a row. */
export const menu: MenuGroup[] = [
  {
    title: 'Operations',
    entries: [
      { label: 'Overview', icon: LayoutDashboard, to: '/', permission: 'overview.view' },
      { label: 'Assets', icon: CardSim, to: '/assets', permission: 'assets.view', below: true },
      {
        label: 'Cellular',
        icon: RadioTower,
        children: [{ label: 'Total Data Usage', to: '/usage/total', permission: 'usage.view' }],
      },
    ],
  },
  {
    title: 'Developer Tools',
    entries: [{ label: 'API Keys', icon: KeyRound, to: '/developer', permission: 'developers.view' }],
  },
  {
    title: 'Account',
    entries: [
      {
        label: 'Help',
        icon: LifeBuoy,
        children: [
          { label: 'FAQ', to: '/faq' },
          { label: 'Community', to: '/community', link: 'community' },
          { label: 'Contact', to: '/contact', link: 'contact' },
        ],
      },
    ],
  },
  {
    title: 'Backoffice',
    backoffice: true,
    entries: [
      { label: 'Dashboard', icon: LayoutDashboard, to: '/masa', permission: 'backoffice' },
      { label: 'Logs', icon: ScrollText, to: '/masa/logs', permission: 'audit_logs' },
      { label: 'Networks', icon: RadioTower, to: '/masa/networks', permission: 'manage_networks' },
      { label: 'Gateways', icon: Router, to: '/masa/gateways', permission: 'manage_networks' },
      { label: 'Quarantine', icon: ShieldQuestion, to: '/masa/quarantine', permission: 'manage_networks' },
      { label: 'Accounts', icon: Users, to: '/masa/accounts', permission: 'backoffice', below: true },
      { label: 'Stock', icon: CardSim, to: '/masa/stock', permission: 'backoffice' },
    ],
  },
]

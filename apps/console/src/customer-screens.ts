import type { getAsset, listAssets, registerAsset } from '@masthead/contract/assets/operations'
import type { listEnforcements } from '@masthead/contract/assets/enforcement-operations'
import type { getCostSummary } from '@masthead/contract/billing/cost-operations'
import type { getPriceList } from '@masthead/contract/billing/price-operations'
import type { listCards } from '@masthead/contract/billing/card-operations'
import type { listTopUps } from '@masthead/contract/billing/top-up-operations'
import type { listTransactions } from '@masthead/contract/billing/operations'
import type { listDataPools } from '@masthead/contract/datapools/operations'
import type { listApiKeys } from '@masthead/contract/developers/operations'
import type { getDevice } from '@masthead/contract/devices/operations'
import type { listNetworkGroups } from '@masthead/contract/network-groups/operations'
import type { listAlerts } from '@masthead/contract/notifications/operations'
import type { getOverview } from '@masthead/contract/overview/operations'
import type { listReports } from '@masthead/contract/reports/operations'
import type { getTeam } from '@masthead/contract/teams/operations'
import type { getTotalUsage } from '@masthead/contract/usage/operations'
import { deviceScreens } from './device-screens.ts'
import { accessOf, type Screen } from './screen.ts'

export const customerScreens: Screen[] = [
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
    path: '/assets/:assetID/application',
    title: 'Asset',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof getAsset>('assets.view'),
    load: () => import('./assets/AssetScreen.tsx'),
  },
  {
    path: '/assets/:assetID/device',
    title: 'Asset',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof getAsset>('assets.view'),
    load: () => import('./assets/AssetScreen.tsx'),
  },
  {
    path: '/assets/:assetID/core',
    title: 'CORE Device Dashboard',
    subtitle: '',
    ownBanner: true,
    teamPermissions: accessOf<typeof getDevice>('assets.view'),
    load: () => import('./assets/device/CoreScreen.tsx'),
  },
  {
    path: '/enforcements',
    title: 'Limits Enforced',
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
    path: '/usage/cost-activity',
    title: 'Cost Activity',
    subtitle: 'Every credit and every charge, in order. Open one to see how it came about.',
    teamPermissions: accessOf<typeof listTransactions>('billing.view'),
    load: () => import('./billing/CostActivityScreen.tsx'),
  },
  {
    path: '/billing/addcredits',
    title: 'Add Credits',
    subtitle: 'Choose an amount and a card, and see what it comes to.',
    teamPermissions: accessOf<typeof listTopUps>('billing.view'),
    load: () => import('./billing/AddCreditsScreen.tsx'),
  },
  {
    path: '/billing',
    title: 'Payment Details',
    subtitle: 'What you have, and the cards of your account.',
    teamPermissions: accessOf<typeof listCards>('billing.view'),
    load: () => import('./billing/BillingScreen.tsx'),
  },
  {
    path: '/usage/cost-summary',
    title: 'Cost Summary',
    subtitle: 'What the month costs, what it is made of, and where it goes.',
    teamPermissions: accessOf<typeof getCostSummary>('usage.view'),
    load: () => import('./billing/costs/CostSummaryScreen.tsx'),
  },
  {
    path: '/billing/pricing',
    title: 'Pay-As-You-Go Pricing',
    subtitle: 'What data costs in each country and network, with the prices agreed for your account.',
    teamPermissions: accessOf<typeof getPriceList>('billing.view'),
    load: () => import('./billing/pricing/PricingScreen.tsx'),
  },
  {
    path: '/pricing',
    title: 'Pricing',
    subtitle: 'What data and SIMs cost by the general price list.',
    load: () => import('./billing/pricing/PlanScreen.tsx'),
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
    path: '/account/reports',
    title: 'Account Reports (Beta)',
    subtitle: 'Files of your usage, costs, SIMs, sessions and activities, once or on a schedule.',
    teamPermissions: accessOf<typeof listReports>('reports.view'),
    load: () => import('./reports/ReportsScreen.tsx'),
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
  ...deviceScreens,
]

import type { listFeeds } from '@masthead/contract/backoffice/feed-operations'
import type { listBrokers } from '@masthead/contract/backoffice/broker-operations'
import type { listGateways } from '@masthead/contract/backoffice/gateway-operations'
import type { listOperators } from '@masthead/contract/backoffice/network-operations'
import type { listQuarantine } from '@masthead/contract/backoffice/quarantine-operations'
import type { listPayments } from '@masthead/contract/backoffice/money-operations'
import type { listCoupons } from '@masthead/contract/backoffice/coupon-operations'
import type { listTariffs } from '@masthead/contract/backoffice/tariff-operations'
import type { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import type { listAllPackages } from '@masthead/contract/backoffice/pool-operations'
import { type Screen, staff, staffFor } from './screen.ts'

export const staffScreens: Screen[] = [
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
    permissions: staff.permissions,
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
    path: '/masa/assets/:assetID/alpon',
    title: 'Device',
    subtitle: '',
    ownBanner: true,
    ...staff,
    load: () => import('./backoffice/StaffDeviceScreen.tsx'),
  },
  {
    path: '/alpon-remote-support',
    title: 'Remote support',
    subtitle: 'Terminals on devices of customers, only while the customer allows them.',
    ...staff,
    load: () => import('./backoffice/support/SupportScreen.tsx'),
  },
  {
    path: '/alpon-remote-support/:supportID/terminal',
    title: 'Terminal',
    subtitle: '',
    bare: true,
    ...staff,
    load: () => import('./terminal/support/SupportTerminalScreen.tsx'),
  },
  {
    path: '/masa/stock',
    title: 'Stock',
    subtitle: 'Assets that can be registered, and who has registered them.',
    ...staff,
    load: () => import('./backoffice/StockScreen.tsx'),
  },
  {
    path: '/masa/advisories',
    title: 'Advisories',
    subtitle: 'Known vulnerabilities that images of the registry are compared with.',
    ...staff,
    load: () => import('./advisories/AdvisoriesScreen.tsx'),
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
    path: '/masa/pricing',
    title: 'Price Lists',
    subtitle: 'What customers pay for data and SIMs, in versions.',
    ...staffFor<typeof listTariffs>('manage_billing'),
    load: () => import('./billing/pricing/StaffPricingScreen.tsx'),
  },
  {
    path: '/masa/broker',
    title: 'Broker',
    subtitle: 'The devices that are connected, and what was refused.',
    ...staffFor<typeof listBrokers>('manage_devices'),
    load: () => import('./networks/BrokerScreen.tsx'),
  },
  {
    path: '/masa/payments',
    title: 'Payments',
    subtitle: 'What customers paid by card, what failed, and what was taken back.',
    ...staffFor<typeof listPayments>('manage_billing'),
    load: () => import('./backoffice/customer/PaymentsScreen.tsx'),
  },
  {
    path: '/masa/coupons',
    title: 'Coupons',
    subtitle: 'Codes that customers redeem for credits.',
    ...staffFor<typeof listCoupons>('manage_billing'),
    load: () => import('./billing/coupons/StaffCouponsScreen.tsx'),
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
    load: () => import('./backoffice/quarantine/QuarantineScreen.tsx'),
  },
]

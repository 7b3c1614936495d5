import {
  Box,
  Cable,
  FileInput,
  FileText,
  RadioTower,
  CardSim,
  Cpu,
  CreditCard,
  Boxes,
  Database,
  KeyRound,
  LayoutDashboard,
  LifeBuoy,
  Router,
  Scale,
  ScrollText,
  ShieldAlert,
  ShieldQuestion,
  Terminal,
  Users,
  Ticket,
} from 'lucide-react'
import { screens } from './screens.ts'
import type { MenuEntry, MenuGroup } from './shell/menu.ts'

/** A row that leads to a screen asks for what the screen asks for. */
function leadsTo(path: string): Pick<MenuEntry, 'to' | 'permission'> {
  const { permissions, teamPermissions } = screens.find((screen) => screen.path === path)!
  const permission = (permissions ?? teamPermissions)?.at(-1)
  return { to: path, ...(permission && { permission }) }
}

/** The sidebar in the specification's groups (spec §2). Only screens that exist have a row. */
export const menu: MenuGroup[] = [
  {
    title: 'Operations',
    entries: [
      { label: 'Overview', icon: LayoutDashboard, ...leadsTo('/') },
      { label: 'Assets', icon: CardSim, ...leadsTo('/assets'), below: true },
      {
        label: 'Cellular',
        icon: RadioTower,
        children: [
          { label: 'Data Pools', ...leadsTo('/datapools') },
          { label: 'Total Data Usage', ...leadsTo('/usage/total') },
          { label: 'Network Groups', ...leadsTo('/network-groups'), below: true, flag: 'network_groups' },
        ],
      },
      { label: 'Fleets', icon: Boxes, ...leadsTo('/alpon-fleets'), below: true },
      { label: 'CORE Deployments', icon: Cpu, ...leadsTo('/core-deployments'), below: true },
      { label: 'Terminals', icon: Terminal, ...leadsTo('/terminals'), below: true },
    ],
  },
  {
    title: 'Developer Tools',
    entries: [
      { label: 'API Keys', icon: KeyRound, ...leadsTo('/developer') },
      { label: 'Registry', icon: Box, ...leadsTo('/registry'), below: true },
    ],
  },
  {
    title: 'Account',
    entries: [
      {
        label: 'Billing',
        icon: CreditCard,
        children: [
          { label: 'Add Credits', ...leadsTo('/billing/addcredits') },
          { label: 'Payment Details', ...leadsTo('/billing') },
          { label: 'Cost Summary', ...leadsTo('/usage/cost-summary') },
          { label: 'Cost Activity', ...leadsTo('/usage/cost-activity') },
          { label: 'PAYG Data Pricing', ...leadsTo('/billing/pricing') },
        ],
      },
      { label: 'Reports', icon: FileText, ...leadsTo('/account/reports') },
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
      { label: 'Dashboard', icon: LayoutDashboard, ...leadsTo('/masa') },
      { label: 'Logs', icon: ScrollText, ...leadsTo('/masa/logs') },
      { label: 'Networks', icon: RadioTower, ...leadsTo('/masa/networks') },
      { label: 'Data Pools', icon: Database, ...leadsTo('/masa/datapools') },
      { label: 'Price Lists', icon: Scale, ...leadsTo('/masa/pricing') },
      { label: 'Coupons', icon: Ticket, ...leadsTo('/masa/coupons') },
      { label: 'Gateways', icon: Router, ...leadsTo('/masa/gateways') },
      { label: 'Broker', icon: Cable, ...leadsTo('/masa/broker') },
      { label: 'Feeds', icon: FileInput, ...leadsTo('/masa/feeds') },
      { label: 'Quarantine', icon: ShieldQuestion, ...leadsTo('/masa/quarantine') },
      { label: 'Advisories', icon: ShieldAlert, ...leadsTo('/masa/advisories') },
      { label: 'Accounts', icon: Users, ...leadsTo('/masa/accounts'), below: true },
      { label: 'Stock', icon: CardSim, ...leadsTo('/masa/stock') },
      { label: 'Remote Support', icon: LifeBuoy, ...leadsTo('/alpon-remote-support') },
    ],
  },
]

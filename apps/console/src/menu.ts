import {
  Bell,
  Box,
  FileText,
  History,
  RadioTower,
  CardSim,
  Cpu,
  CreditCard,
  Boxes,
  KeyRound,
  LayoutDashboard,
  LifeBuoy,
  Terminal,
} from 'lucide-react'
import { screens } from './screens.ts'
import type { MenuEntry, MenuGroup } from './shell/menu.ts'

/** A row that leads to a screen asks for what the screen asks for. */
export function leadsTo(path: string): Pick<MenuEntry, 'to' | 'permission'> {
  const { permissions, teamPermissions } = screens.find((screen) => screen.path === path)!
  const permission = (permissions ?? teamPermissions)?.at(-1)
  return { to: path, ...(permission && { permission }) }
}

/** The sidebar in the specification's groups (spec §2). Only screens that exist have a row. That of the backoffice: staff-menu.ts. */
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
      { label: 'Activities', icon: History, to: '/activities', everyone: true },
      { label: 'Notifications', icon: Bell, ...leadsTo('/notifications') },
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
]

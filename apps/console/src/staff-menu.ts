import {
  Cable,
  CardSim,
  CreditCard,
  Database,
  FileInput,
  LayoutDashboard,
  LifeBuoy,
  RadioTower,
  Router,
  Scale,
  ScrollText,
  ShieldAlert,
  ShieldQuestion,
  Ticket,
  Users,
} from 'lucide-react'
import { leadsTo } from './menu.ts'
import type { MenuGroup } from './shell/menu.ts'

/** The sidebar's group of the backoffice: loaded there, since most people never are. */
export const staffMenu: MenuGroup = {
  title: 'Backoffice',
  backoffice: true,
  entries: [
    { label: 'Dashboard', icon: LayoutDashboard, ...leadsTo('/masa') },
    { label: 'Logs', icon: ScrollText, ...leadsTo('/masa/logs') },
    { label: 'Networks', icon: RadioTower, ...leadsTo('/masa/networks') },
    { label: 'Data Pools', icon: Database, ...leadsTo('/masa/datapools') },
    { label: 'Price Lists', icon: Scale, ...leadsTo('/masa/pricing') },
    { label: 'Payments', icon: CreditCard, ...leadsTo('/masa/payments') },
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
}

import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import {
  noTerminalDevice,
  supportAsked,
  supportNotAllowed,
  supportOfAnother,
  supportOver,
  terminalNeverConnected,
  terminalOffline,
  terminalSuspended,
  tooManyOwnTerminals,
  tooManyTerminals,
} from '../terminal/problems.ts'
import { Size, TerminalSession } from '../terminal/session.ts'
import { ListSupportQuery, SupportAccess, SupportMinutes } from '../terminal/support.ts'
import { ownAccount, staffMayMore } from './problems.ts'
import { Reason } from './reason.ts'

export const StaffSupport = z.extend(SupportAccess, {
  account: z.object({ email: z.string(), team_name: z.string() }),
  /** Whether whoever looks is who asked. */
  mine: z.boolean(),
  /** While it is allowed: terminals that others of support have open on its device. Who has this access may take part in them. */
  colleagues: z.array(z.object({ terminal_id: z.string(), staff: z.string() })),
})
export type StaffSupport = z.output<typeof StaffSupport>

export const listStaffSupport = operation({
  name: 'backoffice.listStaffSupport',
  method: 'GET',
  path: '/backoffice/support',
  summary: 'Support access to devices of customers, the newest first',
  access: 'backoffice',
  query: z.extend(ListSupportQuery, { account: z.optional(z.string().check(z.maxLength(254))) }),
  reply: page(StaffSupport),
})

/** The customer is notified, and answers. Where the account has given standing consent it is allowed at once. */
export const askSupport = operation({
  name: 'backoffice.askSupport',
  method: 'POST',
  path: '/backoffice/assets/{any_asset_id}/support',
  summary: 'Ask a customer for the terminal of a device',
  access: 'manage_support',
  body: z.object({ reason: Reason, minutes: SupportMinutes }),
  reply: StaffSupport,
  problems: [notFound, noTerminalDevice, terminalNeverConnected, supportAsked, ownAccount, staffMayMore],
})

/** A request is withdrawn, an access ended. */
export const leaveSupport = operation({
  name: 'backoffice.leaveSupport',
  method: 'POST',
  path: '/backoffice/support/{any_support_id}/end',
  summary: 'End access to a device, or withdraw the request for it',
  access: 'manage_support',
  reply: StaffSupport,
  problems: [notFound, supportOver],
})

export const openSupportTerminal = operation({
  name: 'backoffice.openSupportTerminal',
  method: 'POST',
  path: '/backoffice/support/{any_support_id}/terminal',
  summary: 'Open a terminal on a device that its customer allowed',
  access: 'manage_support',
  body: Size,
  reply: TerminalSession,
  problems: [
    notFound,
    supportOver,
    supportNotAllowed,
    supportOfAnother,
    noTerminalDevice,
    terminalNeverConnected,
    terminalOffline,
    terminalSuspended,
    tooManyTerminals,
    tooManyOwnTerminals,
    ownAccount,
    staffMayMore,
  ],
})

export const getSupportTerminal = operation({
  name: 'backoffice.getSupportTerminal',
  method: 'GET',
  path: '/backoffice/support/{any_support_id}/terminals/{any_terminal_id}',
  summary: 'One terminal that was opened for support, by this access or on its device',
  access: 'manage_support',
  reply: TerminalSession,
  problems: [notFound],
})

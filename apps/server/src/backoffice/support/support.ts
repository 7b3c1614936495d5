import { sql } from 'kysely'
import { supportAsked, supportLeft } from '@masthead/contract/backoffice/events'
import { supportTerminalOpened } from '@masthead/contract/backoffice/staff-actions'
import type { StaffSupport } from '@masthead/contract/backoffice/support-operations'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Size, TerminalSession } from '@masthead/contract/terminal/session'
import { supportWords } from '@masthead/contract/terminal/support'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { addSupport, getStaffSupport, getTerminal, getUsableSupport, leaveSupport, openSupported } from '../../terminal/index.ts'
import { findAnyAsset } from '../assets.ts'
import { recordStaff } from '../staff/staff-log.ts'
import { needStaffRights } from '../staff/staff.ts'

const ownAccount = 'This is your own account: open a terminal from the asset itself'

/** Throws not_found, staff_own_account, staff_may_more, no_terminal_device, device_never_connected, support_asked. */
export async function askSupport(
  tx: Tx,
  actor: Actor,
  key: string,
  { reason, minutes }: { reason: string; minutes: number }
): Promise<StaffSupport> {
  const { account_id, id: asset_id, name: asset_name, email } = await findAnyAsset(tx, key)
  const account = { id: account_id, email }
  await needStaffRights(tx, actor, account, ownAccount)
  const { id, standing } = await addSupport(tx, actor, { account_id, asset_id, asset_name, reason, minutes })
  const detail = { asset_id, asset_name, support_id: id, reason, for_time: supportWords(minutes), standing }
  await recordStaff(tx, actor, supportAsked, detail, { account, asset_id, target: asset_name, reason })
  return getStaffSupport(tx, actor, id)
}

/** Throws not_found, support_over. */
export async function endStaffSupport(tx: Tx, actor: Actor, id: string): Promise<StaffSupport> {
  const { account_id, asset_id, asset_name, state } = await leaveSupport(tx, actor, id)
  const support = await getStaffSupport(tx, actor, id)
  const account = { id: account_id, email: support.account.email }
  const detail = { asset_id, asset_name, support_id: id, allowed: state === 'allowed' }
  await recordStaff(tx, actor, supportLeft, detail, { account, asset_id, target: asset_name })
  return support
}

/** Throws not_found, support_over, support_not_allowed, support_of_another, staff_own_account, staff_may_more, and what a terminal of the customer's throws. */
export async function openSupportTerminal(tx: Tx, actor: Actor, id: string, size: Size): Promise<TerminalSession> {
  const { account } = await getStaffSupport(tx, actor, id)
  const of = await tx.selectFrom('support_access').select('account_id').where('id', '=', id).executeTakeFirstOrThrow()
  await needStaffRights(tx, actor, { id: of.account_id, email: account.email }, ownAccount)
  const row = await getUsableSupport(tx, actor, id)
  const { asset_id, asset_name, reason } = row
  const session = await openSupported(tx, actor, row, size)
  // The customer is notified of it once the shell is there.
  const line = { account: { id: row.account_id, email: account.email }, notified: true, asset_id, target: asset_name, reason }
  await recordStaff(tx, actor, supportTerminalOpened, { asset_id, asset_name, terminal_id: session.id }, line)
  return session
}

/** A terminal that the actor opened themselves, or a colleague did on a device that the actor is allowed. Throws not_found. */
export async function getSupportTerminal(db: Db, actor: Actor, id: string, terminal_id: string): Promise<TerminalSession> {
  const { rows } = await sql<{ account_id: string }>`select support.account_id from support_access support
    join terminal_session t on t.account_id = support.account_id and t.asset_id = support.asset_id
      and (t.support_id = support.id or t.support_id is not null and support.state = 'allowed' and support.until > ${actor.at})
    where support.id = ${id} and t.id = ${terminal_id} and support.staff_person_id = ${actor.person_id}`.execute(db)
  if (!rows[0]) throw new Problem(notFound)
  return getTerminal(db, { ...actor, account_id: rows[0].account_id, tags: [] }, terminal_id)
}

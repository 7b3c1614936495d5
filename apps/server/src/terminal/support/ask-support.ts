import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import {
  noTerminalDevice,
  supportAsked,
  supportNotAllowed,
  supportOfAnother,
  supportOver,
  terminalNeverConnected,
} from '@masthead/contract/terminal/problems'
import { supportAnswersWithin, supportId, type SupportState } from '@masthead/contract/terminal/support'
import type { Size, TerminalSession } from '@masthead/contract/terminal/session'
import type { Actor, Tx } from '../../kernel/app.ts'
import { findCodeHash } from '../access-code/access-code.ts'
import { openTerminal } from '../open-terminal.ts'
import { setOver } from './end-support.ts'
import { getSupportForUpdate, type SupportRow } from './support-queries.ts'

type Asked = { account_id: string; asset_id: string; asset_name: string; reason: string; minutes: number }

/** Asks for a device of a customer; by standing consent it is allowed at once. Throws no_terminal_device, device_never_connected, support_asked. */
export async function addSupport(
  tx: Tx,
  { person_id, email, at }: Actor,
  { account_id, ...asked }: Asked
): Promise<{ id: string; standing: boolean }> {
  const device = await tx
    .selectFrom('device')
    .select('last_birth_at')
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asked.asset_id)
    .where('cut_at', 'is', null)
    .executeTakeFirst()
  if (!device) throw new Problem(noTerminalDevice)
  if (device.last_birth_at === null) throw new Problem(terminalNeverConnected)
  // Locked, so that two at once are not both the only one, and consent that is withdrawn meanwhile counts.
  const { support_consent } = await tx
    .selectFrom('account')
    .select('support_consent')
    .where('id', '=', account_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  // Where a code is asked for, somebody has to say yes to each request.
  const standing = support_consent && (await findCodeHash(tx, { account_id }, asked.asset_id)) === null
  const open = await tx
    .selectFrom('support_access')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asked.asset_id)
    .where('staff_person_id', '=', person_id)
    .where('state', '<>', 'over')
    .executeTakeFirst()
  if (open && open.until > at) throw new Problem(supportAsked)
  // Its time is over, and the job that says so is yet to come.
  if (open) await setOver(tx, open, { at, by: null, reason: open.state === 'asked' ? 'unanswered' : 'time_over' })
  const id = newId(supportId, at.getTime())
  const state: SupportState = standing ? 'allowed' : 'asked'
  const lasts = standing ? asked.minutes * 60_000 : supportAnswersWithin
  await tx
    .insertInto('support_access')
    .values({
      account_id,
      id,
      ...asked,
      staff_person_id: person_id,
      staff_email: email,
      state,
      standing,
      asked_at: at,
      allowed_at: standing ? at : null,
      until: new Date(at.getTime() + lasts),
    })
    .execute()
  return { id, standing }
}

/** Ends an access, or withdraws the request for it. Throws not_found, support_over. */
export async function leaveSupport(tx: Tx, { at, email }: Actor, id: string): Promise<SupportRow> {
  const row = await getSupportForUpdate(tx, id)
  if (row.state === 'over') throw new Problem(supportOver)
  await setOver(tx, row, { at, by: email, reason: row.state === 'asked' ? 'withdrawn' : 'left' })
  return row
}

/** An access by which the actor may open a terminal now. Throws not_found, support_over, support_not_allowed, support_of_another. */
export async function getUsableSupport(tx: Tx, { at, person_id }: Actor, id: string): Promise<SupportRow> {
  // The account first, as whoever withdraws the consent does: each would wait for the other.
  await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', (eb) => eb.selectFrom('support_access').select('account_id').where('id', '=', id))
    .forNoKeyUpdate()
    .execute()
  const row = await getSupportForUpdate(tx, id)
  if (row.state === 'over' || row.until <= at) throw new Problem(supportOver)
  if (row.staff_person_id !== person_id) throw new Problem(supportOfAnother)
  if (row.state === 'asked') throw new Problem(supportNotAllowed)
  return row
}

/** A terminal by an access that stands. It is one of the customer's account, with all that goes for those. */
export const openSupported = (tx: Tx, actor: Actor, { id, account_id, asset_id }: SupportRow, size: Size): Promise<TerminalSession> =>
  openTerminal(tx, { ...actor, account_id, permissions: [], tags: [] }, asset_id, size, id)

import { Problem } from '@masthead/contract/kernel/problem'
import { supportAllowed, supportRefused } from '@masthead/contract/terminal/events'
import { supportAnswered, supportOver } from '@masthead/contract/terminal/problems'
import { supportWords, type SupportAccess } from '@masthead/contract/terminal/support'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { endWith, namedOf, setOver, notifyAsker } from './end-support.ts'
import { getSupport, getSupportForUpdate, type SupportRow } from './support-queries.ts'

/** One that the actor sees, locked, and not over. Throws not_found, support_over. */
async function getOpen(tx: Tx, actor: Actor, id: string): Promise<SupportRow> {
  await getSupport(tx, actor, id)
  const row = await getSupportForUpdate(tx, id)
  if (row.state === 'over' || row.until <= actor.at) throw new Problem(supportOver)
  return row
}

async function getAsked(tx: Tx, actor: Actor, id: string): Promise<SupportRow> {
  const row = await getOpen(tx, actor, id)
  if (row.state !== 'asked') throw new Problem(supportAnswered)
  return row
}

/** Lets support in for a time that begins now. Throws not_found, support_over, support_answered. */
export async function allowSupport(tx: Tx, actor: Actor, id: string, minutes: number): Promise<SupportAccess> {
  const row = await getAsked(tx, actor, id)
  const { at, email } = actor
  await tx
    .updateTable('support_access')
    .set({ state: 'allowed', minutes, allowed_at: at, allowed_by: email, until: new Date(at.getTime() + minutes * 60_000) })
    .where('account_id', '=', row.account_id)
    .where('id', '=', id)
    .execute()
  await record(tx, actor, supportAllowed, { ...namedOf(row), for_time: supportWords(minutes) })
  await notifyAsker(tx, row)
  return getSupport(tx, actor, id)
}

/** Throws not_found, support_over, support_answered. */
export async function refuseSupport(tx: Tx, actor: Actor, id: string, words: string | null): Promise<SupportAccess> {
  const row = await getAsked(tx, actor, id)
  await setOver(tx, row, { at: actor.at, by: actor.email, reason: 'refused', words })
  await record(tx, actor, supportRefused, { ...namedOf(row), words })
  await notifyAsker(tx, row)
  return getSupport(tx, actor, id)
}

/** Throws not_found, support_over. */
export async function endSupport(tx: Tx, actor: Actor, id: string): Promise<SupportAccess> {
  await endWith(tx, actor, await getOpen(tx, actor, id), 'ended')
  return getSupport(tx, actor, id)
}

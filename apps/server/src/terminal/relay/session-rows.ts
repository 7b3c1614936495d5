import { sql } from 'kysely'
import { terminalEnded, terminalFailed, terminalOpened } from '@masthead/contract/terminal/events'
import type { EndReason } from '@masthead/contract/terminal/session'
import { systemActor, type Actor, type AppDb, type Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { storable } from '../storable.ts'

const heldFor = 30_000 // ms
/** ms after which whoever holds a session says so again. */
export const renewEvery = 5000

type Key = { account_id: string; id: string }
export type Held = Awaited<ReturnType<typeof takeSession>>

/** Takes a session that nobody holds; undefined: there is none to take. */
export async function takeSession(db: AppDb, { id, holder, at }: { id: string; holder: string; at: Date }) {
  return db.transaction().execute((tx) =>
    tx
      .updateTable('terminal_session')
      .set({ held_by: holder, held_until: new Date(at.getTime() + heldFor), recording: 'writing' })
      .where('id', '=', id)
      .where('state', '=', 'connecting')
      .where('held_by', 'is', null)
      .returningAll()
      .executeTakeFirst()
  )
}

export const noteOpened = (db: AppDb, opener: Actor, session: Key & { asset_id: string; asset_name: string }) =>
  db.transaction().execute(async (tx) => {
    const { account_id, id, asset_id, asset_name } = session
    const done = await tx
      .updateTable('terminal_session')
      .set({ state: 'open', opened_at: opener.at })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where('state', '=', 'connecting')
      .executeTakeFirst()
    if (done.numUpdatedRows > 0n) await record(tx, opener, terminalOpened, { asset_id, asset_name, terminal_id: id })
  })

type Ended = {
  reason: EndReason
  by?: string | null | undefined
  words?: string | null | undefined
  at: Date
  bytes_in?: number
  bytes_out?: number
}

/** Writes once how a session ended, and says so in the activities. */
export async function noteEnded(tx: Tx, { account_id, id }: Key, ended: Ended): Promise<void> {
  const { reason, by = null, words = null, at, ...bytes } = ended
  const row = await tx
    .updateTable('terminal_session')
    .set({ state: 'ended', ended_at: at, end_reason: reason, ended_by: by, words: words && storable(words), ...bytes })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('state', '<>', 'ended')
    .returning(['asset_id', 'asset_name', 'opened_by', 'opened_at'])
    .executeTakeFirst()
  if (!row) return
  const { asset_id, asset_name, opened_by, opened_at } = row
  const named = { asset_id, asset_name, terminal_id: id, reason }
  const actor: Actor = by === null ? systemActor(account_id, at) : { ...systemActor(account_id, at), kind: 'member', email: by }
  if (opened_at) await record(tx, actor, terminalEnded, { ...named, opened_by, lasted: wordsOf(at.getTime() - opened_at.getTime()) })
  else await record(tx, actor, terminalFailed, named)
}

function wordsOf(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000))
  return s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`
}

/** The recording is there, and kept for so many days; or there is none (null). */
export const noteRecording = (tx: Tx, { account_id, id }: Key, days: number | null, at: Date) =>
  tx
    .updateTable('terminal_session')
    .set(days === null ? { recording: 'none' } : { recording: 'kept', recording_until: new Date(at.getTime() + days * 86_400_000) })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('recording', '=', 'writing')
    .execute()

/** Another one had a window on it, or the keyboard. */
export const noteParticipant = (tx: Tx, { account_id, id }: Key, email: string, did: 'watched_by' | 'typed_by') =>
  tx
    .updateTable('terminal_session')
    .set((eb) => ({ [did]: eb.fn('array_append', [did, eb.val(email)]) }))
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('opened_by', '<>', email)
    .where((eb) => eb.not(eb(eb.val(email), '=', eb.fn.any(did))))
    .execute()

type Standing = { id: string; end_asked_by: string | null; stands: boolean; supported: boolean }

/** Of sessions that are held here: whether somebody wants them to end, and whether account, device and the access of support still may. */
export async function standingOf(db: AppDb, at: Date, ids: readonly string[]): Promise<Standing[]> {
  const { rows } = await sql<Standing>`select t.id, t.end_asked_by,
      account.suspended_at is null and device.id is not null and device.cut_at is null and t.state <> 'ended' as stands,
      t.support_id is null or coalesce(support.state = 'allowed' and support.until > ${at}, false) as supported
    from terminal_session t join account on account.id = t.account_id
    left join device on device.account_id = t.account_id and device.asset_id = t.asset_id and device.id = t.device_id
    left join support_access support on support.account_id = t.account_id and support.id = t.support_id
    where t.id = any(${[...ids]}::text[])`.execute(db)
  return rows
}

type Bytes = { id: string; bytes_in: number; bytes_out: number }

/** Says that sessions are still held, and how much went through them. */
export const renewHeld = (db: AppDb, at: Date, sessions: readonly Bytes[]) =>
  db.transaction().execute((tx) =>
    sql`update terminal_session t set held_until = ${new Date(at.getTime() + heldFor)}, bytes_in = given.bytes_in, bytes_out = given.bytes_out
      from jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb) as given (id text, bytes_in bigint, bytes_out bigint)
      where t.id = given.id`.execute(tx)
  )

import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { answersWithin } from '@masthead/contract/terminal/session'
import type { App } from '../kernel/app.ts'
import { task, type Task } from '../kernel/jobs/jobs.ts'
import { keepLeft } from './recording/keep-left.ts'
import { recordingKey, recordingKeys, sessionOf } from './recording/recording-key.ts'
import { endSupportInTime } from './support/end-support.ts'
import { noteEnded, noteRecording, renewEvery } from './relay/session-rows.ts'

const atOnce = 200
const dayMs = 86_400_000

export const terminalTasks: Task[] = [
  task('terminal.end_left', (app) => endLeft(app), '* * * * *'),
  task('terminal.end_support', endSupportInTime, '* * * * *'),
  task('terminal.expire', expireRecordings, '25 * * * *'),
  task('terminal.clear', clearRecordings, '50 3 * * *'),
]

type Left = { account_id: string; id: string; held: boolean; late: string }

/** Those of which nobody has said for a time that they hold them, after an id. */
async function listLeft({ db, clock }: App, after: string): Promise<Left[]> {
  const until = sql`coalesce(held_until, requested_at + ${answersWithin * 2} * interval '1 millisecond')`
  const { rows } = await sql<Left>`select account_id, id, held_by is not null as held, ${until}::text as late from terminal_session
    where (state <> 'ended' or recording = 'writing') and ${until} < ${clock.now()} and id > ${after}
    order by id limit ${atOnce}`.execute(db)
  return rows
}

/**
 * Ends what nobody holds any more, as after a server that was killed, and keeps what it had recorded. To a clock that was set ahead all seem so: whoever holds one
 * says it again while this waits.
 */
export async function endLeft(app: App, waits = renewEvery * 2): Promise<void> {
  // Those whose recording cannot be kept yet stay: the others are behind them.
  for (let after = ''; ;) {
    const seen = new Map((await listLeft(app, after)).map(({ id, late }) => [id, late]))
    if (seen.size === 0) return
    await setTimeout(waits)
    for (const row of await listLeft(app, after)) if (seen.get(row.id) === row.late) await endOne(app, row)
    if (seen.size < atOnce) return
    after = [...seen.keys()].at(-1)!
  }
}

async function endOne({ db, blobs, clock, log, config }: App, row: Left): Promise<void> {
  // A recording that cannot be kept yet keeps no session open, and keeps no other one waiting.
  const kept = await (row.held ? keepLeft(blobs, row) : Promise.resolve(false)).catch((error: unknown) => {
    log.error({ err: error, terminal: row.id }, 'a recording is not kept yet')
    return null
  })
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    await noteEnded(tx, row, { reason: row.held ? 'server_stopped' : 'no_answer', at })
    if (kept !== null) await noteRecording(tx, row, kept ? config.recordingDays : null, at)
  })
}

/** Deletes recordings whose time is over. The row says so before the file goes. */
async function expireRecordings({ db, blobs, clock }: App): Promise<void> {
  for (;;) {
    const { rows } = await db.transaction().execute((tx) =>
      sql<{ account_id: string; id: string }>`update terminal_session set recording = 'deleted' where (account_id, id) in
        (select account_id, id from terminal_session where recording = 'kept' and recording_until <= ${clock.now()} limit ${atOnce})
        returning account_id, id`.execute(tx)
    )
    for (const row of rows) await blobs.remove(recordingKey(row))
    if (rows.length < atOnce) return
  }
}

/** Removes recordings that no row has, as those of an account that is gone. */
async function clearRecordings({ db, blobs, clock }: App): Promise<void> {
  const before = new Date(clock.now().getTime() - dayMs)
  for await (const { key, changed_at } of blobs.list(recordingKeys)) {
    const session = sessionOf(key)
    if (!session || changed_at >= before) continue
    const row = await db
      .selectFrom('terminal_session')
      .select('id')
      .where('account_id', '=', session.account_id)
      .where('id', '=', session.id)
      .where('recording', 'in', ['writing', 'kept'])
      .executeTakeFirst()
    if (!row) await blobs.remove(key)
  }
}

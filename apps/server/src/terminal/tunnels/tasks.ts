import { sql } from 'kysely'
import type { App } from '../../kernel/app.ts'
import { task, type Task } from '../../kernel/jobs/jobs.ts'

const keptFor = 90 * 86_400_000 // ms
const atOnce = 5000

export const tunnelTasks: Task[] = [
  task('terminal.end_left_connections', endLeftConnections, '* * * * *'),
  task('terminal.forget_connections', forgetConnections, '35 3 * * *'),
]

/** Connections of a tunnel that nobody holds any more, as after a server that was killed, are over. */
async function endLeftConnections({ db, clock }: App): Promise<void> {
  const at = clock.now()
  const before = new Date(at.getTime() - 60_000)
  await db.transaction().execute((tx) =>
    sql`update tunnel_connection c set result = 'cut', ended_at = ${at} from tunnel t
      where c.ended_at is null and c.at < ${before} and t.account_id = c.account_id and t.id = c.tunnel_id
        and coalesce(t.held_until, t.opened_at) < ${before}`.execute(tx)
  )
}

async function forgetConnections({ db, clock }: App): Promise<void> {
  const before = new Date(clock.now().getTime() - keptFor)
  for (;;) {
    const { numAffectedRows } = await db.transaction().execute((tx) =>
      sql`delete from tunnel_connection where (account_id, tunnel_id, id) in
        (select account_id, tunnel_id, id from tunnel_connection where at < ${before} limit ${atOnce})`.execute(tx)
    )
    if ((numAffectedRows ?? 0n) < BigInt(atOnce)) return
  }
}

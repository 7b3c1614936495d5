import { sql } from 'kysely'
import type { AppDb } from '../../kernel/app.ts'
import { keyed } from '../../kernel/jobs/job-runners.ts'

type Row = { account_id: string; device_id: string; birth: boolean }

/**
 * Has rollouts moved on that are yet to bring their version to these devices, once they are there: nobody looks after them meanwhile. What fails here is found
 * by `alpon_fleets.wake_rollouts`, a minute later at most.
 */
export async function wakeRollouts(db: AppDb, rows: readonly Row[]): Promise<void> {
  const born = rows.filter(({ birth }) => birth)
  if (born.length === 0) return
  const waiting = sql`select distinct d.account_id, d.rollout_id
    from unnest(${born.map(({ account_id }) => account_id)}::text[], ${born.map(({ device_id }) => device_id)}::text[]) as g (account_id, id)
    join device on device.account_id = g.account_id and device.id = g.id
    join rollout_device d on d.account_id = device.account_id and d.asset_id = device.asset_id and d.state = 'pending'
    join rollout r on r.account_id = d.account_id and r.id = d.rollout_id and (r.state = 'running' or r.state = 'finished' and d.restored)`
  // Most wait for nothing, and a connection writes nothing then.
  if ((await waiting.execute(db)).rows.length === 0) return
  await db.transaction().execute((tx) =>
    sql`select graphile_worker.add_job('alpon_fleets.advance_rollout',
      json_build_object('account_id', account_id, 'rollout_id', rollout_id), job_key => 'rollout:' || rollout_id, flags => ${keyed})
      from (${waiting}) as waiting`.execute(tx)
  )
}

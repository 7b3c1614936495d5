import { sql } from 'kysely'
import { isWithin } from '@masthead/contract/alpon-fleets/plan-rollout'
import type { RolloutPlan } from '@masthead/contract/alpon-fleets/rollout'
import type { AppDb, Clock } from '../../kernel/app.ts'
import { keyed } from '../../kernel/jobs/job-runners.ts'

type Row = { account_id: string; device_id: string; birth: boolean }
type Waiting = { account_id: string; rollout_id: string; plan: RolloutPlan }

/** A rollout that is checked so soon anyway is not checked for each device that connects. */
const soon = '5 seconds'

/**
 * Has rollouts moved on that are yet to bring their version to these devices, once they are there: nobody looks after them meanwhile. Nothing begins while
 * the window of one is shut; then, and where this fails, it is found by `alpon_fleets.wake_rollouts` or looked at by itself, a minute later at most.
 */
export async function wakeRollouts({ db, clock }: { db: AppDb; clock: Clock }, rows: readonly Row[]): Promise<void> {
  const born = rows.filter(({ birth }) => birth)
  if (born.length === 0) return
  // One that runs now may have checked before they were there, and one that was given up is not made again.
  const { rows: waiting } = await sql<Waiting>`select distinct d.account_id, d.rollout_id, r.plan
    from unnest(${born.map(({ account_id }) => account_id)}::text[], ${born.map(({ device_id }) => device_id)}::text[]) as g (account_id, id)
    join device on device.account_id = g.account_id and device.id = g.id
    join rollout_device d on d.account_id = device.account_id and d.asset_id = device.asset_id and d.state = 'pending'
    join rollout r on r.account_id = d.account_id and r.id = d.rollout_id and (r.state = 'running' or r.state = 'finished' and d.restored)
    where not exists (select from graphile_worker._private_jobs job where job.key = 'rollout:' || d.rollout_id and job.locked_at is null
      and job.attempts < job.max_attempts and job.run_at <= now() + ${soon}::interval)`.execute(db)
  const now = clock.now().getTime()
  const open = waiting.filter(({ plan: { window } }) => !window || isWithin(window, now))
  // Most wait for nothing, and a connection writes nothing then.
  if (open.length === 0) return
  await db.transaction().execute((tx) =>
    sql`select graphile_worker.add_job('alpon_fleets.advance_rollout',
      json_build_object('account_id', account_id, 'rollout_id', rollout_id), job_key => 'rollout:' || rollout_id, flags => ${keyed})
      from unnest(${open.map(({ account_id }) => account_id)}::text[], ${open.map(({ rollout_id }) => rollout_id)}::text[])
        as waiting (account_id, rollout_id)`.execute(tx)
  )
}

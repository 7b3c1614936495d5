import { sql } from 'kysely'
import { servedStates } from '@masthead/contract/assets/service'
import type { App, Tx } from '../../kernel/app.ts'
import { keyed } from '../../kernel/jobs/job-runners.ts'
import { measureEnforcements } from '../../usage/index.ts'
import type { SimOf } from './sims.ts'

/** Some of one account's SIMs, whose desired service has changed. `since`: checked before, when transactions from this one on had not begun. */
export type Part = { account_id: string; sim_ids: string[]; since?: string }

/**
 * Tried so often: after 3 s, 7 s, 20 s, … some three hours in all, and at once whenever the session reports; then given up in words. Tried anew
 * when it reports after that, or when something else is held against its SIM.
 */
export const mostTries = 10
/** More than that, as a crash may end a try, also the last one, before it can say that it was given up. */
const mostAttempts = mostTries + 10

/** A session that goes on reporting is asked about again after so many milliseconds. */
export const cutAgainAfter = 30_000

/** Of jobs: who is to be cut is found out before those are asked for who are known, because gateways that are silent would hold it up. */
const beforeCuts = -1
/** Of jobs: many that somebody resets wait for those that are cut because they may not go on. */
const afterCuts = 1

/** Has what is reported of these SIMs brought in line with what is wanted, once the transaction commits: a job for each account. */
export async function reconcileLater(tx: Tx, sims: readonly SimOf[]): Promise<void> {
  if (sims.length === 0) return
  const [accounts, ids] = [sims.map((sim) => sim.account_id), sims.map((sim) => sim.sim_id)]
  await sql`select graphile_worker.add_job('reconcile_service', json_build_object('account_id', account_id, 'sim_ids', json_agg(id)), priority => ${beforeCuts}::int)
    from unnest(${accounts}::text[], ${ids}::text[]) as k(account_id, id) group by account_id`.execute(tx)
}

/**
 * Compares what gateways report, which is the open sessions, with what is wanted: those of SIMs without service are cut, each by a job of its
 * own. May be repeated, and come late: it looks at what is wanted now.
 *
 * A session may begin in a transaction that read its SIM before, and commit after this check. So it checks again once all that was under way has
 * ended, for sessions that nobody asked about until then.
 */
export async function reconcileService({ db }: App, { account_id, sim_ids, since }: Part): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ next: string; has_ended: boolean }>`select pg_snapshot_xmax(now_open)::text as next,
      pg_snapshot_xmin(now_open) >= ${since ?? null}::text::xid8 as has_ended from pg_current_snapshot() now_open`.execute(tx)
    const { next, has_ended } = rows[0]!
    await measureEnforcements(tx, { sims: sim_ids.map((sim_id) => ({ account_id, sim_id })) })
    await sql`with k as (
        select s.account_id, s.id, false as was_closed from data_session s join sim on sim.account_id = s.account_id and sim.id = s.sim_id
        where s.account_id = ${account_id} and s.sim_id = any(${sim_ids}::text[]) and s.ended_at is null
          and sim.status <> all(${servedStates}::text[]) ${since === undefined ? sql`` : notAskedAbout} order by s.id
      ) select ${cut} from k`.execute(tx)
    if (has_ended) return
    const again: Part = { account_id, sim_ids, since: since ?? next }
    await sql`select graphile_worker.add_job('reconcile_service', ${JSON.stringify(again)}::json,
      run_at => now() + ${lookAgainAfter} * interval '1 millisecond', priority => ${beforeCuts}::int)`.execute(tx)
  })
}

/** A batch is written in less, unless something holds it up: then it is seen to be under way. */
const lookAgainAfter = 2000
const notAskedAbout = sql`and s.disconnect is null and not exists (select from graphile_worker.jobs where key = 'cut_session:' || s.id)`

/**
 * Sessions of SIMs without service that were reported just now: has those cut, once the transaction commits, that were not asked about of late.
 * One that is being tried is tried at once, before those that somebody resets, and no more often for that. Answers with their ids; each has moved on by a revision.
 */
export async function askForCuts(tx: Tx, sessions: readonly { account_id: string; id: string }[], at: Date): Promise<Set<string>> {
  const rows = sessions.toSorted((a, b) => (a.account_id + a.id < b.account_id + b.id ? -1 : 1))
  const [accounts, ids] = [rows.map((each) => each.account_id), rows.map((each) => each.id)]
  const { rows: asked } = await sql<{ id: string }>`with k as (
      update data_session s set cut_asked_at = ${at} from unnest(${accounts}::text[], ${ids}::text[]) as due(account_id, id)
      where s.account_id = due.account_id and s.id = due.id
        and (s.cut_asked_at is null or s.cut_asked_at <= ${new Date(at.getTime() - cutAgainAfter)}
          or s.cut_asked_at >= ${new Date(at.getTime() + cutAgainAfter)})
      returning s.account_id, s.id, s.ended_at is not null as was_closed
    ) select k.id, case when j.id is null then ${cut} end from k
      left join graphile_worker.jobs j on j.key = 'cut_session:' || k.id and not k.was_closed and j.attempts < j.max_attempts
      left join lateral graphile_worker.reschedule_jobs(array[j.id], run_at => now(), priority => 0) on true`.execute(tx)
  return new Set(asked.map(({ id }) => id))
}

/**
 * Has the open sessions of SIMs ended, so that their devices attach anew, whatever service they have. One that is to be cut already keeps its place. Answers with how
 * many, by SIM.
 */
export async function resetSessions(tx: Tx, sims: readonly SimOf[]): Promise<Map<string, number>> {
  if (sims.length === 0) return new Map()
  const [accounts, ids] = [sims.map((sim) => sim.account_id), sims.map((sim) => sim.sim_id)]
  const { rows } = await sql<{ sim_id: string }>`with k as (
      select s.account_id, s.id, s.sim_id from unnest(${accounts}::text[], ${ids}::text[]) as wanted(account_id, sim_id)
        join data_session s on s.account_id = wanted.account_id and s.sim_id = wanted.sim_id and s.ended_at is null and not s.superseded order by s.id
    ) select k.sim_id, graphile_worker.add_job('cut_session', json_build_object('account_id', k.account_id, 'session_id', k.id, 'is_reset', true),
        max_attempts => ${mostAttempts}::int, job_key => 'cut_session:' || k.id, flags => ${keyed},
        priority => least(j.priority, ${sims.length > 1 ? afterCuts : 0}::int)) from k
      left join graphile_worker.jobs j on j.key = 'cut_session:' || k.id`.execute(tx)
  return new Map([...Map.groupBy(rows, ({ sim_id }) => sim_id)].map(([sim_id, own]) => [sim_id, own.length]))
}

/** Of rows `k`: a session has one job, and asking again begins its tries anew. */
const cut = sql`graphile_worker.add_job('cut_session', json_build_object('account_id', k.account_id, 'session_id', k.id,
    'was_closed', k.was_closed), max_attempts => ${sql.lit(mostAttempts)}::int, job_key => 'cut_session:' || k.id, flags => ${keyed})`

/** Whether this is the last try of the job that cuts a session: false where it was asked for anew meanwhile. */
export async function isLastTry(tx: Tx, session_id: string, most = mostTries): Promise<boolean> {
  const { rows } = await sql<{
    attempts: number
  }>`select attempts from graphile_worker.jobs where key = ${`cut_session:${session_id}`}`.execute(tx)
  return (rows[0]?.attempts ?? 0) >= most
}

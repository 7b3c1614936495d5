import { sql } from 'kysely'
import { hoursJudged } from '@masthead/contract/signals'
import type { App, Tx } from '../../kernel/app.ts'
import { repeat } from '../../kernel/jobs/repeat.ts'
import { publish } from '../../kernel/live/publish.ts'
import { judgeAwaited } from './judge-awaited.ts'
import { isSilent } from './silence.ts'

const hourMs = 3_600_000
const judgedAfter = 6 * 60_000 // ms from the end of an hour: most late reports have come
/** In one transaction: a long one would hold the roll-ups up. */
const mostSims = 20_000
/** So far back an account is judged at first: what is usual of it needs two weeks. Of a large one a day, as that would take long. */
const firstHours = { small: 15 * 24, large: 25 }
const largeFrom = 20_000
const keptFor = 29 * 24 * hourMs
const lockName = sql`hashtext('masthead.judge_hours')`

/** Judges each hour of the SIMs that should work soon after it is over, until stopped. */
export function startJudging(app: App): { stop: () => Promise<void> } {
  let done: number | undefined
  const step = async () => {
    const hour = await endedHour(app)
    if (hour === null || hour === done) return false
    const more = await judgeNext(app, new Date(hour))
    if (!more) done = hour
    return more
  }
  // Little is asked while there is nothing to do; after a start the roll-ups are soon through.
  return repeat(app, 'judging hours', step, 3000)
}

/** The end of the last hour of which all is counted, in ms. */
async function endedHour({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<number | null> {
  const ended = Math.floor((clock.now().getTime() - judgedAfter) / hourMs) * hourMs
  const rolledUp = await db.selectFrom('rollup_progress').select('complete_until').where('name', '=', 'usage').executeTakeFirst()
  return rolledUp && rolledUp.complete_until.getTime() >= ended ? ended : null
}

/** Judges one hour, or a part of it, of an account that is not judged up to `ended`. True when there is more to do. */
export async function judgeNext({ db, clock }: Pick<App, 'db' | 'clock'>, ended: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows: locks } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${lockName}) as locked`.execute(tx)
    if (!locks[0]!.locked) return false
    const { rows } = await sql<{ account_id: string; sims: number; until: Date | null; after_sim: string | null }>`
      select c.account_id, c.sims, j.until, j.after_sim
      from (select account_id, sum(count) as sims from asset_count where sim_status in ('active', 'blocked') and count > 0 group by 1) c
        left join account_judged j on j.account_id = c.account_id
      where j.until is null or j.until < ${ended} order by j.until nulls first, c.account_id limit 1`.execute(tx)
    const account = rows[0]
    if (!account) return false
    const first = firstHours[account.sims > largeFrom ? 'large' : 'small'] * hourMs
    // One that was long away begins anew: what it was before is not known.
    const begins = new Date(Math.max(account.until?.getTime() ?? 0, ended.getTime() - first))
    const judged = await judgePart(
      tx,
      account.account_id,
      begins,
      begins.getTime() === account.until?.getTime() ? (account.after_sim ?? '') : '',
      clock.now()
    )
    if (judged && judged >= ended) await publish(tx, account.account_id, hoursJudged)
    return true
  })
}

/** Judges an hour of an account's SIMs after one, in the order of their ids. Its end, once it is judged of all of them. */
async function judgePart(tx: Tx, account_id: string, hour: Date, after: string, at: Date): Promise<Date | null> {
  const end = new Date(hour.getTime() + hourMs)
  await judgeAwaited(tx, account_id, hour, { at, after, most: mostSims })
  const bits = sql`x.bits`
  const { rows } = await sql<{ last: string | null; count: number }>`
    with s as materialized (
      select id, blocks, coalesce(state_changed_at, activated_at, created_at) as since from sim
      where account_id = ${account_id} and state = 'active' and id > ${after} order by id limit ${mostSims}
    ), refused as materialized (
      select distinct sim_id from connection_event where account_id = ${account_id} and hour = ${hour} and kind in ('rejected', 'forbidden')
    ), judged as materialized (
      select s.id as sim_id, case
          when (select min((b->>'since')::timestamptz) from jsonb_array_elements(s.blocks) b) < ${end} then 'blocked'
          when x.sent then null
          when exists (select from refused r where r.sim_id = s.id) then 'refused'
          when exists (select from sim_feed f where f.account_id = ${account_id} and f.sim_id = s.id and f.unjudged_from is not null) then null
          when ${isSilent(bits, sql`x.sent`, sql`s.since <= ${end}::timestamptz - interval '24 hours'`)} then 'silent' end as state,
        x.sent or k.sim_id is not null or exists (select from sim_counter c where c.account_id = ${account_id} and c.sim_id = s.id) as seen
      from s left join sim_sent k on k.account_id = ${account_id} and k.sim_id = s.id
        cross join lateral (select coalesce(sent_by(k.hours, k.until, ${hour}), B'0'::bit(720)) as bits offset 0) w
        cross join lateral (select w.bits, get_bit(w.bits, 719) = 1 or exists (select from usage_open_hour o
          where o.account_id = ${account_id} and o.sim_id = s.id and o.hour = ${hour} and o.bytes_up::numeric + o.bytes_down > 0) as sent offset 0) x
      where s.since < ${end}
    ), off as (select * from judged where state is not null),
    went_on as (
      update sim_lapse l set until = ${end} from off
      where l.account_id = ${account_id} and l.sim_id = off.sim_id and l.until = ${hour} and l.state = off.state returning l.sim_id
    ), began as (
      insert into sim_lapse (account_id, sim_id, state, start, until)
      select ${account_id}, sim_id, state, ${hour}, ${end} from off where sim_id not in (select sim_id from went_on)
      on conflict (account_id, sim_id, start) do nothing
    ), counted as (
      insert into account_work_hour as h (account_id, hour, should, works)
      select ${account_id}, ${hour}, count(*), count(*) filter (where state is null) from judged where seen
      on conflict (account_id, hour) do update set should = h.should + excluded.should, works = h.works + excluded.works
    )
    select max(id) as last, count(*) as count from s`.execute(tx)
  const { last, count } = rows[0]!
  const more = count === mostSims
  await sql`insert into account_judged (account_id, until, after_sim) values (${account_id}, ${more ? hour : end}, ${more ? last : ''})
    on conflict (account_id) do update set until = excluded.until, after_sim = excluded.after_sim`.execute(tx)
  if (more) return null
  await forget(tx, account_id, end)
  return end
}

/** What no question needs any more. */
async function forget(tx: Tx, account_id: string, end: Date): Promise<void> {
  const before = new Date(end.getTime() - keptFor)
  await sql`delete from sim_lapse where account_id = ${account_id} and until < ${before}`.execute(tx)
  await sql`delete from account_work_hour where account_id = ${account_id} and hour < ${before}`.execute(tx)
  // SIMs that are gone, or have sent nothing for so long that nothing is known of them.
  if (end.getUTCHours() === 3)
    await sql`delete from sim_sent where account_id = ${account_id} and until < ${before}::timestamptz - interval '1 day'`.execute(tx)
}

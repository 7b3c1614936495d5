import { sql } from 'kysely'
import { lateHours } from '@masthead/contract/usage/usage'
import type { Tx } from '../../kernel/app.ts'
import { neverSeen } from './off-now.ts'
import { isSilent } from './silence.ts'
import { feedsBehind, gatewayReports, isComing, isFed, waitsForFeed } from './waits-for-feed.ts'

/**
 * Judges hours before `hour` of SIMs whose feeds had not come so far when those hours were over and have come there now, as files of the night do: once
 * all that there is of them is read and no further call follows, as SIMs of the last rows would be silent else.
 * Of a SIM whose feed has not come to the end of `hour`, or of which more may come, notes from which hour on that is to be done. `after`, `most`: the SIMs that are judged, as
 * `judge-hours.ts` goes through them.
 */
export async function judgeAwaited(
  tx: Tx,
  account_id: string,
  hour: Date,
  { at, after, most }: { at: Date; after: string; most: number }
): Promise<void> {
  if (!(await isFed(tx, { account_id }))) return
  const end = new Date(hour.getTime() + 3_600_000)
  await sql`
    with s as materialized (
      select id, blocks, coalesce(state_changed_at, activated_at, created_at) as since from sim
      where account_id = ${account_id} and state = 'active' and id > ${after} order by id limit ${most}
    ), came as materialized (
      select f.*, ${isComing(at)} as coming
      from (select feed_id, least(date_trunc('hour', max(counted_to), 'UTC'), ${hour}) as upto from sim_feed where account_id = ${account_id} group by 1) f
    ), behind as materialized (
      ${feedsBehind(account_id, end)}
    ), fed as materialized (
      select s.*, f.unjudged_from as start, c.upto, c.coming, case when c.coming and (f.unjudged_from is not null or not ${gatewayReports}) then coalesce(f.unjudged_from, ${hour})
        when ${waitsForFeed(account_id)} then greatest(coalesce(f.unjudged_from, ${hour}), c.upto) end as next
      from s join sim_feed f on f.account_id = ${account_id} and f.sim_id = s.id join came c on c.feed_id = f.feed_id
    ), held as materialized (
      -- In the order of their keys, as feeds write them.
      select f.sim_id, fed.next from fed join sim_feed f on f.account_id = ${account_id} and f.sim_id = fed.id
      where f.unjudged_from is distinct from fed.next order by f.sim_id for update of f
    ), noted as (
      update sim_feed f set unjudged_from = held.next from held where f.account_id = ${account_id} and f.sim_id = held.sim_id
    ), judged as materialized (
      select fed.id as sim_id, h.hour, case when x.sent then null
          when exists (select from connection_event r where r.account_id = ${account_id} and r.sim_id = fed.id and r.hour = h.hour
            and r.kind in ('rejected', 'forbidden')) then 'refused'
          when ${isSilent(sql`w.bits`, sql`x.sent`, sql`fed.since <= h.hour - interval '23 hours'`)} then 'silent' end as state
      from fed
        cross join lateral generate_series(greatest(fed.start, fed.upto - make_interval(hours => ${lateHours}::int)), fed.upto - interval '1 hour', interval '1 hour') as h(hour)
        left join sim_sent k on k.account_id = ${account_id} and k.sim_id = fed.id
        cross join lateral (select coalesce(sent_by(k.hours, k.until, h.hour), B'0'::bit(720)) as bits offset 0) w
        cross join lateral (select get_bit(w.bits, 719) = 1 or exists (select from usage_open_hour o
          where o.account_id = ${account_id} and o.sim_id = fed.id and o.hour = h.hour and o.bytes_up::numeric + o.bytes_down > 0) as sent offset 0) x
      where not fed.coming and fed.since < h.hour + interval '1 hour'
        -- Blocks and refusals were known then.
        and not exists (select from sim_lapse l where l.account_id = ${account_id} and l.sim_id = fed.id and l.start <= h.hour and l.until > h.hour)
    ), off as (
      select *, hour - row_number() over (partition by sim_id, state order by hour) * interval '1 hour' as run from judged where state is not null
    ), runs as materialized (
      select sim_id, state, min(hour) as start, max(hour) + interval '1 hour' as until from off group by sim_id, state, run
    ), went_on as (
      update sim_lapse l set until = r.until from runs r
      where l.account_id = ${account_id} and l.sim_id = r.sim_id and l.until = r.start and l.state = r.state returning r.sim_id, r.start
    ), began as (
      insert into sim_lapse (account_id, sim_id, state, start, until)
      select ${account_id}, sim_id, state, start, until from runs where (sim_id, start) not in (select sim_id, start from went_on)
      on conflict (account_id, sim_id, start) do nothing
    )
    update account_work_hour h set works = h.works - n.sims from (select off.hour, count(*) as sims from off join s on s.id = off.sim_id
      where not ${neverSeen(account_id)} group by 1) n
    where h.account_id = ${account_id} and h.hour = n.hour`.execute(tx)
}

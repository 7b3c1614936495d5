-- serves from 0030
-- runs in batches
insert into sim_sent (account_id, sim_id, until, hours, mccmnc)
select c.account_id, c.sim_id, coalesce(u.until, date_trunc('hour', now())), coalesce(u.hours, B'0'::bit(720)), coalesce(u.mccmnc, '')
from (select account_id, sim_id from sim_counter c where not exists (
    select from sim_sent k where k.account_id = c.account_id and k.sim_id = c.sim_id) limit 500) c
  left join lateral (
    select until, bit_or(set_bit(B'0'::bit(720), 719 - (extract(epoch from until - hour)::bigint / 3600)::int, 1)) as hours,
      (array_agg(mccmnc order by hour desc, bytes_up::numeric + bytes_down desc))[1] as mccmnc
    from (select *, max(hour) over () as until from usage_hour h
      where h.account_id = c.account_id and h.sim_id = c.sim_id and h.hour > now() - interval '720 hours' and h.bytes_up::numeric + h.bytes_down > 0) h
    where hour > until - interval '720 hours' group by 1) u on true
on conflict (account_id, sim_id) do nothing;

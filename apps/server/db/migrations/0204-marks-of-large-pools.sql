-- serves from 0030
-- A threshold of a share beyond a very large pool is more than a bigint holds: until it was within it, nothing that the SIMs of such a pool used could be counted.
create or replace function terms_of_usage(accounts text[], sims text[], froms bigint[], ats bigint[], networks text[], used bigint[], now_at timestamptz)
  returns table (ns text, account_id text, pool_id text, starts_at timestamptz, ends_at timestamptz, priority int, size_bytes bigint, overage_policy text,
    overage_percent int, within_bytes bigint, over_bytes bigint, next_mark bigint, is_used_up boolean, is_exhausted boolean, is_due boolean) language plpgsql as $$
declare
  pool record;
  term record;
  accounts_of text[] := '{}';
  pools text[] := '{}';
  numbers text[] := '{}';
  firsts timestamptz[] := '{}';
  lasts timestamptz[] := '{}';
  shared boolean[] := '{}';
begin
  for pool in
    select l.*, pool_lock(l.account_id, l.pool_id) as key,
        t.ends_at <= now_at or to_timestamp(l.first_from / 1000.0) < t.starts_at or l.wanted > t.size_bytes / 256 or c.within_bytes > t.size_bytes / 4 * 3 as alone
      from (select s.account_id, s.pool_id, string_agg(k.n || case when s.left_at = 'infinity' and s.joined_at <= k.began then '' else
              ' ' || round(extract(epoch from s.joined_at) * 1000) || ' ' || round(extract(epoch from s.left_at) * 1000) end, ',') as numbers, sum(k.bytes) as wanted, min(k.at_from) as first_from, max(k.at_end) as last_at
          from (select u.*, to_timestamp(u.at_from / 1000.0::float8) as began
              from unnest(accounts, sims, froms, ats, networks, used) with ordinality as u(account_id, sim_id, at_from, at_end, network, bytes, n)) k
            join data_pool_stay s on s.account_id = k.account_id and s.sim_id = k.sim_id and s.left_at > k.began and s.left_at > now_at - interval '3 days'
            join data_pool p on p.account_id = s.account_id and p.id = s.pool_id
              and (p.zone is null or p.zone = zone_of(k.network, (to_timestamp(k.at_end / 1000.0) at time zone 'UTC')::date))
          group by s.account_id, s.pool_id) l
        join data_pool p on p.account_id = l.account_id and p.id = l.pool_id
        join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
        cross join lateral (select coalesce(sum(o.within_bytes), 0) as within_bytes from data_pool_counter o
          where o.account_id = t.account_id and o.pool_id = t.pool_id and o.starts_at = t.starts_at) c
      order by key
  loop
    if pool.alone then
      perform pg_advisory_xact_lock(pool.key);
    else
      perform pg_advisory_xact_lock_shared(pool.key);
    end if;
    accounts_of := accounts_of || pool.account_id;
    pools := pools || pool.pool_id;
    numbers := numbers || pool.numbers;
    firsts := firsts || to_timestamp(pool.first_from / 1000.0);
    lasts := lasts || to_timestamp(pool.last_at / 1000.0);
    shared := shared || not pool.alone;
  end loop;
  -- What was committed until the locks were there is seen by this statement.
  for term in
    select q.numbers, q.is_shared, p.term_starts_at, t.*, p.priority, p.overage_policy, p.overage_percent, p.ended_at, c.within_bytes, c.over_bytes,
      (select least(ceil(min(mark)::numeric * t.size_bytes / 100), 9000000000000000000) from unnest(p.thresholds) mark where mark <> all(t.notified))::bigint as next_mark
    from unnest(accounts_of, pools, numbers, firsts, lasts, shared) as q(account_id, pool_id, numbers, first_from, last_at, is_shared)
      join data_pool p on p.account_id = q.account_id and p.id = q.pool_id
      join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id
        and (t.starts_at <= q.last_at and least(t.ends_at, p.ended_at) > q.first_from or p.ended_at is null and t.starts_at = p.term_starts_at and t.ends_at <= now_at)
      cross join lateral (select coalesce(sum(o.within_bytes), 0)::bigint as within_bytes, coalesce(sum(o.over_bytes), 0)::bigint as over_bytes
        from data_pool_counter o where o.account_id = t.account_id and o.pool_id = t.pool_id and o.starts_at = t.starts_at) c
  loop
    if term.is_shared and term.starts_at = term.term_starts_at and term.within_bytes > term.size_bytes / 8 * 7 then
      raise exception 'a data pool came near its edge' using errcode = '40001';
    end if;
    ns := term.numbers;
    account_id := term.account_id;
    pool_id := term.pool_id;
    starts_at := term.starts_at;
    ends_at := least(term.ends_at, term.ended_at);
    priority := term.priority;
    size_bytes := term.size_bytes;
    overage_policy := term.overage_policy;
    overage_percent := term.overage_percent;
    within_bytes := term.within_bytes;
    over_bytes := term.over_bytes;
    next_mark := term.next_mark;
    is_used_up := term.used_up_at is not null;
    is_exhausted := term.exhausted_at is not null;
    is_due := term.ended_at is null and term.starts_at = term.term_starts_at and term.ends_at <= now_at;
    return next;
  end loop;
end $$;

-- serves from 0030
-- What a SIM used while it was in a pool is of that pool, also where it is reported after the SIM has left. Who was in which pool, and until when, is kept as long as usage
-- can be corrected.
create table data_pool_left (
  account_id text not null,
  sim_id text not null,
  pool_id text not null,
  joined_at timestamptz not null,
  left_at timestamptz not null,
  foreign key (account_id, sim_id) references sim on delete cascade,
  foreign key (account_id, pool_id) references data_pool on delete cascade
);
create index data_pool_left_sim on data_pool_left (account_id, sim_id, left_at);
create index data_pool_left_pool on data_pool_left (account_id, pool_id);
create index data_pool_left_at on data_pool_left (left_at);

-- Each stay of a SIM in a pool; one that goes on is left at infinity.
create view data_pool_stay as
  select account_id, sim_id, pool_id, joined_at, 'infinity'::timestamptz as left_at from data_pool_sim
  union all
  select account_id, sim_id, pool_id, joined_at, left_at from data_pool_left;

-- An asset has one place in a pool, and brings one share in a term, however many SIMs it had one after the other. A pool that is full takes no further asset.
-- Which SIMs of some assets draw from which pools: brings data_pool_sim and sim.pool_id in line, and counts what SIMs bring to dynamic pools. Pools are locked before SIMs,
-- as the meter locks them.
create or replace function follow_pools(account text, assets text[], at timestamptz default now()) returns void language plpgsql as $$
declare
  has_changed boolean;
begin
  perform lock_pools(account);
  with meant as materialized (select s.id, s.asset_id from sim s where s.account_id = account and s.asset_id = any(assets) order by s.id for no key update),
  wanted as materialized (
    select meant.id as sim_id, p.id as pool_id, p.priority from meant
      join data_pool_asset m on m.account_id = account and m.asset_id = meant.asset_id
      join data_pool p on p.account_id = account and p.id = m.pool_id and p.ended_at is null
    union
    select meant.id, p.id, p.priority from meant
      join asset_tag a on a.account_id = account and a.asset_id = meant.asset_id
      join data_pool_tag g on g.account_id = account and g.tag_id = a.tag_id
      join data_pool p on p.account_id = account and p.id = g.pool_id and p.ended_at is null
  ),
  kept as (
    select d.sim_id, d.pool_id from meant join data_pool_sim d on d.account_id = account and d.sim_id = meant.id
      join data_pool p on p.account_id = account and p.id = d.pool_id and p.ended_at > at - interval '3 days'
  ),
  gone as (
    delete from data_pool_sim d using meant where d.account_id = account and d.sim_id = meant.id
      and not exists (select from wanted w where w.sim_id = d.sim_id and w.pool_id = d.pool_id)
      and not exists (select from kept k where k.sim_id = d.sim_id and k.pool_id = d.pool_id) returning d.sim_id, d.pool_id, d.joined_at
  ),
  stayed as (
    insert into data_pool_left (account_id, sim_id, pool_id, joined_at, left_at)
      select account, gone.sim_id, gone.pool_id, gone.joined_at, least(at, p.ended_at)
      from gone join data_pool p on p.account_id = account and p.id = gone.pool_id order by 1, 2, 3
  ),
  places as (
    select p.id as pool_id, p.max_sims, (select count(distinct s.asset_id) from data_pool_sim d join sim s on s.account_id = d.account_id and s.id = d.sim_id
        where d.account_id = account and d.pool_id = p.id
          and (s.asset_id <> all(assets) or exists (select from wanted w where w.sim_id = d.sim_id and w.pool_id = d.pool_id))) as taken
    from data_pool p where p.account_id = account and p.max_sims is not null and p.id in (select pool_id from wanted)
  ),
  placed as (
    select w.sim_id, w.pool_id, has.place or places.max_sims is null
        or places.taken + dense_rank() over (partition by w.pool_id, has.place order by meant.asset_id) <= places.max_sims as fits
    from wanted w join meant on meant.id = w.sim_id left join places on places.pool_id = w.pool_id
      cross join lateral (select exists (select from data_pool_sim d join sim s on s.account_id = d.account_id and s.id = d.sim_id
        where d.account_id = account and d.pool_id = w.pool_id and s.asset_id = meant.asset_id) as place) has
  ),
  come as (
    insert into data_pool_sim (account_id, sim_id, pool_id, joined_at) select account, p.sim_id, p.pool_id, at from placed p where p.fits order by 1, 2, 3
      on conflict do nothing returning sim_id, pool_id
  ),
  bringing as (
    select distinct on (come.pool_id, meant.asset_id) come.sim_id, come.pool_id, meant.asset_id
    from come join meant on meant.id = come.sim_id join asset on asset.account_id = account and asset.id = meant.asset_id
    order by come.pool_id, meant.asset_id, asset.sim_id = come.sim_id desc, come.sim_id desc
  ),
  brought as (
    insert into data_pool_usage as u (account_id, pool_id, starts_at, sim_id, brought_bytes)
      select account, p.id, p.term_starts_at, come.sim_id, pool_share(p.unit_bytes, p.prorate_first, t.starts_at, t.ends_at, at)
      from bringing come join data_pool p on p.account_id = account and p.id = come.pool_id and p.kind = 'dynamic'
        join data_pool_term t on t.account_id = account and t.pool_id = p.id and t.starts_at = p.term_starts_at
      where not exists (select from data_pool_usage b join sim s on s.account_id = b.account_id and s.id = b.sim_id
        where b.account_id = account and b.pool_id = p.id and b.starts_at = t.starts_at and b.brought_bytes > 0 and s.asset_id = come.asset_id)
      order by 1, 2, 3, 4
      on conflict (account_id, pool_id, starts_at, sim_id) do update set brought_bytes = excluded.brought_bytes where u.brought_bytes = 0
      returning u.pool_id, u.starts_at, u.brought_bytes
  ),
  grown as (
    update data_pool_term t set size_bytes = least(t.size_bytes + b.bytes, 9000000000000000000)
      from (select pool_id, starts_at, sum(brought_bytes) as bytes from brought group by 1, 2 order by 1, 2) b
      where t.account_id = account and t.pool_id = b.pool_id and t.starts_at = b.starts_at
  ),
  named as (
    update sim set pool_id = first.pool_id
      from (select meant.id, coalesce((select w.pool_id from wanted w join placed p on p.sim_id = w.sim_id and p.pool_id = w.pool_id and p.fits
          where w.sim_id = meant.id order by w.priority, w.pool_id limit 1),
        (select k.pool_id from kept k where k.sim_id = meant.id order by k.pool_id limit 1)) as pool_id from meant) first
      where sim.account_id = account and sim.id = first.id and sim.pool_id is distinct from first.pool_id
  )
  select exists (select from gone) or exists (select from come) into has_changed;
  if has_changed then perform pools_changed(account); end if;
end $$;

-- The terms that usage of SIMs may be taken from, once for each term, with the locks of their pools taken, as pool_terms has it, which stays for meters of the release before.
-- `ns` are the numbers of the usage that the term is for, which count from 1: one alone where the SIM is in the pool and was when the usage began, else with the times of its
-- stay. All times are milliseconds since 1970.
create function terms_of_usage(accounts text[], sims text[], froms bigint[], ats bigint[], networks text[], used bigint[], now_at timestamptz)
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
      (select ceil(min(mark)::numeric * t.size_bytes / 100) from unnest(p.thresholds) mark where mark <> all(t.notified))::bigint as next_mark
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

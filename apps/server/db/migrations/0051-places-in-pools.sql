-- serves from 0030
-- The locks of all pools that SIMs joining or leaving change, and of one more. Whoever comes to need them later takes them first: before SIMs, and all at once in one order.
create function lock_pools(account text, also text default null) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(key)
    from (select pool_lock(account, p.id) as key from data_pool p
      where p.account_id = account and p.ended_at is null and (p.kind = 'dynamic' or p.max_sims is not null or p.id = also)
      order by 1 offset 0) of_each;
end $$;

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
  gone as (
    delete from data_pool_sim d using meant where d.account_id = account and d.sim_id = meant.id
      and not exists (select from wanted w where w.sim_id = d.sim_id and w.pool_id = d.pool_id) returning d.pool_id
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
      from (select meant.id, (select w.pool_id from wanted w join placed p on p.sim_id = w.sim_id and p.pool_id = w.pool_id and p.fits
        where w.sim_id = meant.id order by w.priority, w.pool_id limit 1) as pool_id from meant) first
      where sim.account_id = account and sim.id = first.id and sim.pool_id is distinct from first.pool_id
  )
  select exists (select from gone) or exists (select from come) into has_changed;
  if has_changed then perform pools_changed(account); end if;
end $$;

-- The terms that usage of SIMs may be taken from, for each of it (`n` counts from 1), with the locks of their pools taken: shared where all that 32 connections can add at the same time still fits,
-- so that none waits for another; alone near an edge, so that what is read is all there is. within_bytes and over_bytes
-- are what was taken until now; next_mark is the sum at which a threshold is reached. is_due: its term is over, and the next one has not begun.
create or replace function open_terms(accounts text[], sims text[], froms timestamptz[], ats timestamptz[], networks text[], used bigint[], now_at timestamptz)
  returns table (n bigint, account_id text, pool_id text, starts_at timestamptz, ends_at timestamptz, priority int, size_bytes bigint, overage_policy text,
    overage_percent int, within_bytes bigint, over_bytes bigint, next_mark bigint, is_used_up boolean, is_exhausted boolean, is_due boolean) language plpgsql as $$
declare
  pool record;
  shared bigint[] := '{}';
begin
  for pool in
    select l.key, bool_or(t.ends_at <= now_at or l.first_from < t.starts_at or l.wanted > t.size_bytes / 256 or within_of(l.account_id, l.pool_id, t.starts_at) > t.size_bytes / 4 * 3) as alone
      from (select pool_lock(m.account_id, m.pool_id) as key, m.account_id, m.pool_id, sum(k.bytes) as wanted, min(k.at_from) as first_from
          from unnest(accounts, sims, froms, used) as k(account_id, sim_id, at_from, bytes)
            join data_pool_sim m on m.account_id = k.account_id and m.sim_id = k.sim_id group by 1, 2, 3) l
        join data_pool p on p.account_id = l.account_id and p.id = l.pool_id
        join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
      group by l.key order by l.key
  loop
    if pool.alone then
      perform pg_advisory_xact_lock(pool.key);
    else
      perform pg_advisory_xact_lock_shared(pool.key);
      shared := shared || pool.key;
    end if;
  end loop;
  return query
    select k.n, p.account_id, p.id, t.starts_at, t.ends_at, p.priority, t.size_bytes, p.overage_policy, p.overage_percent,
      coalesce(c.within_bytes, 0)::bigint, coalesce(c.over_bytes, 0)::bigint,
      (select least((min(mark)::numeric * t.size_bytes + 99) / 100, 9000000000000000000) from unnest(p.thresholds) mark where mark <> all(t.notified))::bigint,
      t.used_up_at is not null, t.exhausted_at is not null, p.ended_at is null and t.starts_at = p.term_starts_at and t.ends_at <= now_at
    from unnest(accounts, sims, froms, ats, networks) with ordinality as k(account_id, sim_id, at_from, at_end, network, n)
      join data_pool_sim m on m.account_id = k.account_id and m.sim_id = k.sim_id
      join data_pool p on p.account_id = m.account_id and p.id = m.pool_id
        and (p.zone is null or p.zone = zone_of(k.network, (k.at_end at time zone 'UTC')::date))
      join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id
        and (t.starts_at <= k.at_end and t.ends_at > k.at_from or p.ended_at is null and t.starts_at = p.term_starts_at and t.ends_at <= now_at)
      left join lateral (select sum(o.within_bytes) as within_bytes, sum(o.over_bytes) as over_bytes from data_pool_counter o
        where o.account_id = t.account_id and o.pool_id = t.pool_id and o.starts_at = t.starts_at) c on true
    order by k.n;
  if exists (select from data_pool_term t join data_pool p on p.account_id = t.account_id and p.id = t.pool_id and p.term_starts_at = t.starts_at
      where cardinality(shared) > 0 and (t.account_id, t.pool_id) in (select m.account_id, m.pool_id from unnest(accounts, sims) as k(account_id, sim_id)
          join data_pool_sim m on m.account_id = k.account_id and m.sim_id = k.sim_id)
        and pool_lock(t.account_id, t.pool_id) = any(shared) and within_of(t.account_id, t.pool_id, t.starts_at) > t.size_bytes / 8 * 7) then
    raise exception 'a data pool came near its edge' using errcode = '40001';
  end if;
end $$;

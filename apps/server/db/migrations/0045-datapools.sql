-- serves from 0030
-- Data that is sold together: what a pool has in each of its terms.
create table data_package (
  id text primary key,
  name text not null,
  kind text not null check (kind in ('fixed', 'dynamic')),
  size_bytes bigint not null check (size_bytes > 0),
  zone text,
  validity_count int not null check (validity_count > 0),
  validity_unit text not null check (validity_unit in ('day', 'month')),
  price_micros bigint not null default 0 check (price_micros >= 0),
  currency text not null default 'USD',
  overage_policy text not null check (overage_policy in ('stop', 'percent', 'payg')),
  overage_percent int,
  max_sims int check (max_sims > 0),
  prorate_first boolean not null default false,
  created_at timestamptz not null,
  created_by text not null,
  retired_at timestamptz,
  check ((overage_policy = 'percent') = (overage_percent is not null))
);
create unique index data_package_name on data_package (lower(name)) where retired_at is null;

-- What a pool was opened with stays, whatever becomes of its package.
create table data_pool (
  account_id text not null references account on delete cascade,
  id text not null,
  name text not null,
  package_id text not null references data_package,
  kind text not null,
  -- Of a term; of each SIM where the kind is dynamic.
  unit_bytes bigint not null,
  zone text,
  validity_count int not null,
  validity_unit text not null,
  price_micros bigint not null,
  currency text not null,
  max_sims int,
  prorate_first boolean not null,
  overage_policy text not null check (overage_policy in ('stop', 'percent', 'payg')),
  overage_percent int,
  thresholds int[] not null default '{80,100}',
  priority int not null default 100,
  auto_renew boolean not null,
  -- The term that runs, or the last one.
  term_starts_at timestamptz not null,
  opened_at timestamptz not null,
  opened_by text not null,
  ended_at timestamptz,
  primary key (account_id, id),
  check ((overage_policy = 'percent') = (overage_percent is not null))
);
create unique index data_pool_name on data_pool (account_id, lower(name)) where ended_at is null;
create index data_pool_package on data_pool (package_id) where ended_at is null;

create table data_pool_term (
  account_id text not null,
  pool_id text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  size_bytes bigint not null check (size_bytes >= 0),
  price_micros bigint not null,
  -- Its size is used up; it gives nothing more: the decision that the next Access-Request reads.
  used_up_at timestamptz,
  exhausted_at timestamptz,
  -- Thresholds that were notified, in per cent.
  notified int[] not null default '{}',
  primary key (account_id, pool_id, starts_at),
  foreign key (account_id, pool_id) references data_pool on delete cascade
);
create index data_pool_term_end on data_pool_term (ends_at);

create table data_pool_asset (
  account_id text not null,
  pool_id text not null,
  asset_id text not null,
  added_at timestamptz not null,
  primary key (account_id, asset_id, pool_id),
  foreign key (account_id, pool_id) references data_pool on delete cascade,
  foreign key (account_id, asset_id) references asset on delete cascade
);
create index data_pool_asset_pool on data_pool_asset (account_id, pool_id, asset_id);
create table data_pool_tag (
  account_id text not null,
  tag_id text not null,
  pool_id text not null,
  primary key (account_id, tag_id, pool_id),
  foreign key (account_id, pool_id) references data_pool on delete cascade,
  foreign key (account_id, tag_id) references tag on delete cascade
);
create index data_pool_tag_pool on data_pool_tag (account_id, pool_id);

-- Which SIMs draw from which pool, by their assets and the tags of those. sim.pool_id is the first of them.
create table data_pool_sim (
  account_id text not null,
  sim_id text not null,
  pool_id text not null,
  joined_at timestamptz not null default now(),
  primary key (account_id, sim_id, pool_id),
  foreign key (account_id, sim_id) references sim on delete cascade,
  foreign key (account_id, pool_id) references data_pool on delete cascade
);
create index data_pool_sim_pool on data_pool_sim (account_id, pool_id, sim_id);

-- What was taken in a term, in parts: a connection of a meter adds to its own part, so that none waits for another. over_bytes is beyond its size.
create table data_pool_counter (
  account_id text not null,
  pool_id text not null,
  starts_at timestamptz not null,
  part smallint not null,
  within_bytes bigint not null default 0,
  over_bytes bigint not null default 0,
  primary key (account_id, pool_id, starts_at, part),
  foreign key (account_id, pool_id, starts_at) references data_pool_term on delete cascade
) with (fillfactor = 50);
create table data_pool_day (
  account_id text not null,
  pool_id text not null,
  starts_at timestamptz not null,
  day date not null,
  part smallint not null,
  bytes bigint not null default 0,
  over_bytes bigint not null default 0,
  primary key (account_id, pool_id, starts_at, day, part),
  foreign key (account_id, pool_id, starts_at) references data_pool_term on delete cascade
) with (fillfactor = 50);
-- What a SIM took in a term, and what it brought where the kind is dynamic. It stays when the SIM leaves.
create table data_pool_usage (
  account_id text not null,
  pool_id text not null,
  starts_at timestamptz not null,
  sim_id text not null,
  bytes bigint not null default 0,
  over_bytes bigint not null default 0,
  brought_bytes bigint not null default 0,
  primary key (account_id, pool_id, starts_at, sim_id),
  foreign key (account_id, pool_id, starts_at) references data_pool_term on delete cascade
) with (fillfactor = 50);

-- The zone of a network on a day; null: nobody said.
create function zone_of(network text, day date) returns text language sql stable
  return (select r.zone from network_rate r where r.mccmnc = network and r.effective_from <= day order by r.effective_from desc limit 1);

-- The lock of a pool's sums. Whoever takes data where much is left shares it; whoever may come to an edge, or changes what there is, has it alone.
create function pool_lock(account_id text, pool_id text) returns bigint language sql immutable
  return hashtextextended(account_id || ' ' || pool_id, 7);

-- What was taken of a term's size.
create function within_of(account text, pool text, term timestamptz) returns bigint language sql stable as $$
  select coalesce(sum(c.within_bytes), 0)::bigint from data_pool_counter c where c.account_id = account and c.pool_id = pool and c.starts_at = term
$$;

-- What a SIM brings to a dynamic pool: its share, or the part of it for the days that are left.
create function pool_share(unit_bytes bigint, prorate boolean, starts_at timestamptz, ends_at timestamptz, at timestamptz) returns bigint language sql immutable
  return case when prorate and at > starts_at
    then (unit_bytes * greatest(0, ceil(extract(epoch from ends_at - at) / 86400)) / ceil(extract(epoch from ends_at - starts_at) / 86400))::bigint
    else unit_bytes end;

-- Has the rows of an account's SIMs follow what is decided of its pools, once the transaction commits.
create function pools_changed(account text) returns void language plpgsql as $$
begin
  perform graphile_worker.add_job('follow_pools', json_build_object('account_id', account), job_key => 'follow_pools:' || account);
end $$;

-- Which SIMs of some assets draw from which pools: brings data_pool_sim and sim.pool_id in line, and counts what SIMs bring to dynamic pools. Pools are locked before SIMs,
-- as the meter locks them.
create function follow_pools(account text, assets text[], at timestamptz default now()) returns void language plpgsql as $$
declare
  has_changed boolean;
begin
  perform pg_advisory_xact_lock(key)
    from (select pool_lock(account, p.id) as key from data_pool p where p.account_id = account and p.ended_at is null and p.kind = 'dynamic'
      order by 1 offset 0) dynamic;
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
  come as (
    insert into data_pool_sim (account_id, sim_id, pool_id, joined_at) select account, w.sim_id, w.pool_id, at from wanted w order by 1, 2, 3
      on conflict do nothing returning sim_id, pool_id
  ),
  brought as (
    insert into data_pool_usage as u (account_id, pool_id, starts_at, sim_id, brought_bytes)
      select account, p.id, p.term_starts_at, come.sim_id, pool_share(p.unit_bytes, p.prorate_first, t.starts_at, t.ends_at, at)
      from come join data_pool p on p.account_id = account and p.id = come.pool_id and p.kind = 'dynamic'
        join data_pool_term t on t.account_id = account and t.pool_id = p.id and t.starts_at = p.term_starts_at
      order by 1, 2, 3, 4
      on conflict (account_id, pool_id, starts_at, sim_id) do update set brought_bytes = excluded.brought_bytes where u.brought_bytes = 0
      returning u.pool_id, u.starts_at, u.brought_bytes
  ),
  grown as (
    update data_pool_term t set size_bytes = t.size_bytes + b.bytes
      from (select pool_id, starts_at, sum(brought_bytes) as bytes from brought group by 1, 2 order by 1, 2) b
      where t.account_id = account and t.pool_id = b.pool_id and t.starts_at = b.starts_at
  ),
  named as (
    update sim set pool_id = first.pool_id
      from (select meant.id, (select w.pool_id from wanted w where w.sim_id = meant.id order by w.priority, w.pool_id limit 1) as pool_id from meant) first
      where sim.account_id = account and sim.id = first.id and sim.pool_id is distinct from first.pool_id
  )
  select exists (select from gone) or exists (select from come) into has_changed;
  if has_changed then perform pools_changed(account); end if;
end $$;

-- A tag that is given or taken moves SIMs into and out of pools, and so does a SIM that is put into an asset.
create function pools_follow_tags() returns trigger language plpgsql as $$
begin
  perform follow_pools(c.account_id, c.assets) from (
    select account_id, array_agg(distinct asset_id order by asset_id) as assets from changed_rows c
      where exists (select from data_pool_tag g where g.account_id = c.account_id and g.tag_id = c.tag_id)
      group by account_id order by account_id offset 0) c;
  return null;
end $$;
create trigger pools_follow_tags_given after insert on asset_tag referencing new table as changed_rows
  for each statement execute function pools_follow_tags();
create trigger pools_follow_tags_taken after delete on asset_tag referencing old table as changed_rows
  for each statement execute function pools_follow_tags();
create function pools_follow_sims() returns trigger language plpgsql as $$
begin
  perform follow_pools(c.account_id, c.assets) from (
    select account_id, array_agg(distinct asset_id order by asset_id) as assets from changed_rows c
      where exists (select from data_pool p where p.account_id = c.account_id and p.ended_at is null)
      group by account_id order by account_id offset 0) c;
  return null;
end $$;
create trigger pools_follow_sims after insert on sim referencing new table as changed_rows
  for each statement execute function pools_follow_sims();

-- The terms that usage of SIMs may be taken from, for each of it (`n` counts from 1), with the locks of their pools taken: shared where all that 32 connections can add at the same time still fits,
-- so that none waits for another; alone near an edge, so that what is read is all there is. within_bytes and over_bytes
-- are what was taken until now; next_mark is the sum at which a threshold is reached. is_due: its term is over, and the next one has not begun.
create function open_terms(accounts text[], sims text[], froms timestamptz[], ats timestamptz[], networks text[], used bigint[], now_at timestamptz)
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
      (select (min(mark) * t.size_bytes + 99) / 100 from unnest(p.thresholds) mark where mark <> all(t.notified))::bigint,
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

-- Tags, stock, assets and their SIMs.

create table tag (
  account_id text not null references account,
  id text not null,
  name text not null,
  color text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index tag_name on tag (account_id, lower(name));

-- What may be registered, by whom it was. A row stays when its asset is registered.
create table inventory (
  serial text not null,
  type text not null check (type in ('picolte', 'plastic_sim', 'core', 'alpon_x4', 'alpon_x5_ai', 'axis_gw')),
  iccid text unique,
  imsis text[] not null default '{}',
  msisdn text unique,
  eid text,
  imei text,
  loaded_at timestamptz not null default now(),
  -- null: reserved, not to be registered yet
  released_at timestamptz default now(),
  account_id text references account,
  asset_id text,
  registered_at timestamptz
);
-- A serial number is the same in upper and lower case: people type it.
create unique index inventory_serial on inventory (lower(serial));
-- Without a list of entries yet to be sorted in: a load of stock looks up thousands between its writes.
create index inventory_imsi on inventory using gin (imsis) with (fastupdate = off);
create index inventory_account on inventory (account_id) where account_id is not null;

create table asset (
  account_id text not null references account,
  id text not null,
  type text not null check (type in ('picolte', 'plastic_sim', 'core', 'alpon_x4', 'alpon_x5_ai', 'axis_gw')),
  serial text not null unique,
  name text not null,
  created_at timestamptz not null default now(),
  -- Kept by triggers of sim: the SIM in use, its status, and every number a search should find.
  sim_id text,
  sim_status text,
  sim_search text not null default '',
  search text not null generated always as (lower(name || ' ' || serial || ' ' || sim_search)) stored,
  primary key (account_id, id)
);
create index asset_name on asset (account_id, lower(name), id);
create index asset_serial on asset (account_id, lower(serial));
create index asset_created on asset (account_id, created_at, id);
create index asset_status on asset (account_id, sim_status, lower(name), id);
create index asset_type on asset (account_id, type, lower(name), id);
-- Without account_id: with it, each search would read the account's whole list of assets (measured: fifteen times as long).
create index asset_search on asset using gin (search gin_trgm_ops);

create table asset_tag (
  account_id text not null,
  asset_id text not null,
  tag_id text not null,
  primary key (account_id, asset_id, tag_id),
  foreign key (account_id, asset_id) references asset on delete cascade,
  foreign key (account_id, tag_id) references tag on delete cascade
);
create index asset_tag_tag on asset_tag (account_id, tag_id, asset_id);

create table sim (
  account_id text not null,
  id text not null,
  asset_id text not null,
  iccid text not null unique check (iccid ~ '^\d{18,20}$'),
  msisdn text unique,
  eid text,
  -- last reported by the network
  imei text,
  state text not null check (state in ('inventory', 'ready', 'active', 'inactive', 'standby', 'terminated')),
  state_changed_at timestamptz,
  state_changed_by text,
  activated_at timestamptz,
  limit_bytes bigint check (limit_bytes > 0),
  -- [{ code, since, by, words, clears }], at most one of each code
  blocks jsonb not null default '[]' check (jsonb_typeof(blocks) = 'array'),
  status text not null generated always as (
    case when blocks <> '[]' and state in ('ready', 'active', 'standby') then 'blocked' else state end) stored,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, asset_id) references asset on delete cascade
);
create index sim_asset on sim (account_id, asset_id);
create index sim_blocked on sim (account_id, id) where blocks <> '[]';

-- Every IMSI of every SIM: how the meter finds whose usage a packet tells of.
create table sim_imsi (
  imsi text primary key check (imsi ~ '^\d{14,15}$'),
  account_id text not null,
  sim_id text not null,
  position smallint not null default 0,
  -- Checked at the commit, so that IMSIs may be written before their SIM.
  foreign key (account_id, sim_id) references sim on delete cascade deferrable initially deferred
);
create index sim_imsi_sim on sim_imsi (account_id, sim_id, position);

-- The asset follows its SIM in use.
create function asset_follows_sim() returns trigger language plpgsql as $$
begin
  update asset set
    sim_id = coalesce(asset.sim_id, changed.id),
    sim_status = changed.status,
    sim_search = numbers.words
  from changed, lateral (
    select coalesce(string_agg(concat_ws(' ', s.iccid, s.msisdn, s.eid, s.imei,
      (select string_agg(i.imsi, ' ' order by i.position) from sim_imsi i where i.account_id = s.account_id and i.sim_id = s.id)), ' ' order by s.id), '') as words
    from sim s where s.account_id = changed.account_id and s.asset_id = changed.asset_id) numbers
  where asset.account_id = changed.account_id and asset.id = changed.asset_id
    and coalesce(asset.sim_id, changed.id) = changed.id
    and (asset.sim_id is null or asset.sim_status is distinct from changed.status or asset.sim_search <> numbers.words);
  return null;
end $$;
create trigger sim_inserted after insert on sim referencing new table as changed for each statement execute function asset_follows_sim();
create trigger sim_updated after update on sim referencing new table as changed for each statement execute function asset_follows_sim();

create function asset_follows_imsi() returns trigger language plpgsql as $$
begin
  -- Touches the SIMs concerned, so that asset_follows_sim sees their IMSIs.
  update sim set id = sim.id from (select distinct account_id, sim_id from changed) c where sim.account_id = c.account_id and sim.id = c.sim_id;
  return null;
end $$;
create trigger sim_imsi_inserted after insert on sim_imsi referencing new table as changed for each statement execute function asset_follows_imsi();

-- Kept counts: how many assets of each type and SIM status an account has.
create table asset_count (
  account_id text not null,
  type text not null,
  sim_status text not null,
  count bigint not null,
  primary key (account_id, type, sim_status)
);

create function count_assets() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into asset_count select account_id, type, coalesce(sim_status, ''), count(*) from added group by 1, 2, 3 order by 1, 2, 3
      on conflict (account_id, type, sim_status) do update set count = asset_count.count + excluded.count;
  elsif tg_op = 'DELETE' then
    insert into asset_count select account_id, type, coalesce(sim_status, ''), -count(*) from removed group by 1, 2, 3 order by 1, 2, 3
      on conflict (account_id, type, sim_status) do update set count = asset_count.count + excluded.count;
  else
    insert into asset_count select account_id, type, sim_status, sum(n) from (
        select account_id, type, coalesce(sim_status, '') as sim_status, 1 as n from added
        union all select account_id, type, coalesce(sim_status, ''), -1 from removed) moved
      group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3
      on conflict (account_id, type, sim_status) do update set count = asset_count.count + excluded.count;
  end if;
  return null;
end $$;
create trigger asset_inserted after insert on asset referencing new table as added for each statement execute function count_assets();
create trigger asset_deleted after delete on asset referencing old table as removed for each statement execute function count_assets();
create trigger asset_changed after update on asset referencing new table as added old table as removed for each statement execute function count_assets();

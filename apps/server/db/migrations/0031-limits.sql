-- serves from 0030
-- A limit of usage: of a SIM by itself, of each SIM of a group, or of all SIMs of a pool together. A SIM's own wins over its group's.
create table usage_limit (
  account_id text not null,
  id text not null,
  sim_id text,
  group_id text,
  pool_id text,
  period text not null check (period in ('day', 'month')),
  bytes bigint not null check (bytes > 0),
  -- For the one period that begins on this day.
  raised_bytes bigint check (raised_bytes > 0),
  raised_period date,
  -- The decision about all SIMs of a pool: their rows follow it.
  reached_at timestamptz,
  reached_period date,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  check (num_nonnulls(sim_id, group_id, pool_id) = 1),
  check ((raised_bytes is null) = (raised_period is null)),
  check ((reached_at is null) = (reached_period is null)),
  check (reached_at is null or pool_id is not null),
  foreign key (account_id, sim_id) references sim on delete cascade
);
create unique index usage_limit_sim on usage_limit (account_id, sim_id) where sim_id is not null;
create unique index usage_limit_group on usage_limit (account_id, group_id) where group_id is not null;
create unique index usage_limit_pool on usage_limit (account_id, pool_id) where pool_id is not null;
create index usage_limit_reached on usage_limit (account_id, id) where reached_at is not null;

-- What the SIMs of a pool used in a period, in parts: a connection of a meter adds to its own part, so that none waits for another.
create table pool_counter (
  account_id text not null,
  limit_id text not null,
  period_start date not null,
  part smallint not null,
  bytes bigint not null,
  primary key (account_id, limit_id, period_start, part),
  foreign key (account_id, limit_id) references usage_limit on delete cascade
) with (fillfactor = 60);

alter table sim add column group_id text, add column pool_id text;

-- limit_bytes stays for the release before, which reads it.
insert into usage_limit (account_id, id, sim_id, period, bytes)
  select account_id, 'lim_' || substr(id, 5), id, 'month', limit_bytes from sim where limit_bytes is not null;

-- The day as well, of the latest usage: an older day means that nothing was used today.
alter table sim_counter
  add column day date not null default '1970-01-01',
  add column day_up bigint not null default 0,
  add column day_down bigint not null default 0;

alter table enforcement add column period text not null default 'month' check (period in ('day', 'month'));

-- The limit that applies to each SIM that has one, by itself or by its group.
create view sim_limit as
  select s.account_id, s.id as sim_id, coalesce(own.id, grouped.id) as limit_id, coalesce(own.period, grouped.period) as period,
    case when own.id is not null then own.bytes else grouped.bytes end as bytes,
    case when own.id is not null then own.raised_bytes else grouped.raised_bytes end as raised_bytes,
    case when own.id is not null then own.raised_period else grouped.raised_period end as raised_period
  from sim s
    left join usage_limit own on own.account_id = s.account_id and own.sim_id = s.id
    left join usage_limit grouped on own.id is null and grouped.account_id = s.account_id and grouped.group_id = s.group_id
  where own.id is not null or grouped.id is not null;

-- What of a limit counts today. A SIM's counter may be of a day, or a month, that is over.
create function limit_start(period text, today date) returns date language sql immutable
  return case period when 'day' then today else date_trunc('month', today::timestamp)::date end;
create function limit_allows(bytes bigint, raised_bytes bigint, raised_period date, period text, today date) returns bigint language sql immutable
  return case when raised_period = limit_start(period, today) then raised_bytes else bytes end;
create function limit_used(period text, today date, day date, day_up bigint, day_down bigint, period_start date, bytes_up bigint, bytes_down bigint)
  returns numeric language sql immutable
  return case when period = 'day' then case when day >= today then day_up::numeric + day_down else 0 end
    when period_start >= limit_start(period, today) then bytes_up::numeric + bytes_down else 0 end;

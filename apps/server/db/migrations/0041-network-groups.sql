-- serves from 0030
-- What the SIMs of a group may use. Each account has the one that SIMs are in when nobody chose another, and four built-in ones; their ids are the
-- public names of the API, the same on every account. A SIM without a group_id is in `default`.
create table network_group (
  account_id text not null references account on delete cascade,
  id text not null,
  name text not null check (name <> ''),
  kind text not null default 'own' check (kind in ('default', 'built_in', 'own')),
  -- Where its SIMs may be: null is everywhere; else in these countries (ISO 3166-1), and on these networks (MCC-MNC) besides.
  countries text[],
  networks text[] not null default '{}',
  -- By which radio access technologies: null is by all.
  rats text[],
  apn text,
  imei_lock boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text,
  primary key (account_id, id)
);
create unique index network_group_name on network_group (account_id, lower(name));

-- `alert`: a SIM that reaches it goes on, and that is told.
alter table usage_limit
  add column action text not null default 'block' check (action in ('block', 'alert')),
  add foreign key (account_id, group_id) references network_group on delete cascade;
create index usage_limit_alert on usage_limit (account_id, id) where action = 'alert';

create function make_network_groups(of_account text) returns void language sql as $$
  insert into network_group (account_id, id, name, kind) values
    (of_account, 'default', 'Default', 'default'), (of_account, 'default_100mb', '100 MB', 'built_in'), (of_account, 'default_1gb', '1 GB', 'built_in'),
    (of_account, 'default_10gb', '10 GB', 'built_in'), (of_account, 'default_unlimited', 'Unlimited', 'built_in')
  on conflict do nothing;
  insert into usage_limit (account_id, id, group_id, period, bytes) values
    (of_account, 'lim_default_100mb', 'default_100mb', 'month', 100000000), (of_account, 'lim_default_1gb', 'default_1gb', 'month', 1000000000),
    (of_account, 'lim_default_10gb', 'default_10gb', 'month', 10000000000)
  on conflict do nothing;
$$;
create function account_has_network_groups() returns trigger language plpgsql as $$
begin
  perform make_network_groups(new.id);
  return null;
end $$;
create trigger account_network_groups after insert on account for each row execute function account_has_network_groups();
select make_network_groups(id) from account;

alter table sim add constraint sim_network_group foreign key (account_id, group_id) references network_group
  on delete set null (group_id) not valid;

-- The limit that applies to each SIM that has one, by itself or by its group, and what happens when it is reached.
create or replace view sim_limit as
  select s.account_id, s.id as sim_id, coalesce(own.id, grouped.id) as limit_id, coalesce(own.period, grouped.period) as period,
    case when own.id is not null then own.bytes else grouped.bytes end as bytes,
    case when own.id is not null then own.raised_bytes else grouped.raised_bytes end as raised_bytes,
    case when own.id is not null then own.raised_period else grouped.raised_period end as raised_period,
    case when own.id is null or own.only_raise then 'group' else 'sim' end as scope,
    coalesce(own.action, grouped.action) as action,
    case when own.id is null or own.only_raise then coalesce(s.group_id, 'default') end as group_id
  from sim s
    left join usage_limit own on own.account_id = s.account_id and own.sim_id = s.id
    left join usage_limit grouped on own.id is null and grouped.account_id = s.account_id and grouped.group_id = coalesce(s.group_id, 'default')
  where own.id is not null or grouped.id is not null;

-- That a SIM reached a limit that only tells, once for each period.
create table limit_notice (
  account_id text not null,
  sim_id text not null,
  period text not null,
  period_start date not null,
  at timestamptz not null,
  primary key (account_id, sim_id, period, period_start),
  foreign key (account_id, sim_id) references sim on delete cascade
);

-- Why its SIM's group does not allow the network that a session is on, in words: its gateway is asked to end it.
alter table data_session add column forbidden text;

-- How a limit was held: the limit as it was, what was counted when it was reached, and what the gateway was asked and said.
alter table enforcement
  add column used_bytes bigint,
  -- Not a report reached it: it was set below what was used, or its SIM came under it.
  add column by_change boolean not null default false,
  add column group_name text,
  add column session_id text,
  add column asked_at timestamptz,
  add column answered_at timestamptz,
  add column answer text,
  add column answer_words text,
  add column attempts integer;

-- What happened on the way to the network, beside the sessions themselves. What repeats is one row an hour, with its count.
create table connection_event (
  account_id text not null,
  sim_id text not null,
  asset_id text not null,
  -- The beginning of its hour.
  hour timestamptz not null,
  kind text not null check (kind in ('accepted', 'rejected', 'forbidden', 'network_changed', 'imei_changed')),
  -- Tells those of an hour apart.
  key text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  count integer not null,
  words text,
  mccmnc text,
  rat text,
  gateway text,
  before text,
  after text,
  primary key (account_id, sim_id, hour, kind, key)
) partition by range (hour);
-- As with usage records: attached, a partition waits only for its like.
create function ensure_connection_partitions(first date, last date) returns void language plpgsql as $$
declare
  day date;
  part text;
begin
  for day in select generate_series(first, last, interval '1 day')::date loop
    part := 'connection_event_' || to_char(day, 'YYYYMMDD');
    if to_regclass(part) is null then
      perform pg_advisory_xact_lock(hashtext('masthead.connection_partitions'));
      execute format('create table if not exists %I (like connection_event including defaults including constraints)', part);
      if not exists (select from pg_inherits where inhrelid = to_regclass(part)) then
        execute format('alter table connection_event attach partition %I for values from (%L) to (%L)',
          part, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      end if;
    end if;
  end loop;
end $$;

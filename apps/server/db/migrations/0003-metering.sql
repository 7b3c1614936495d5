-- What gateways report: sessions, usage records, roll-ups.

-- A RADIUS client, known by its address.
create table gateway (
  id text primary key,
  name text not null,
  address inet not null unique,
  secret text not null,
  -- true: its Access-Requests may come without Message-Authenticator (CVE-2024-3596)
  legacy boolean not null default false,
  -- where it takes Disconnect-Requests (RFC 5176)
  coa_port integer not null default 3799 check (coa_port between 1 and 65535),
  created_at timestamptz not null default now(),
  heard_at timestamptz
);

-- Meters keep the gateways in memory.
create function tell_meters() returns trigger language plpgsql as $$
begin
  notify masthead_gateways;
  return null;
end $$;
create trigger gateway_changed after insert or delete or update of name, address, secret, legacy on gateway
  for each statement execute function tell_meters();

create table network (
  mccmnc text primary key check (mccmnc ~ '^\d{3}-\d{2,3}$'),
  name text not null,
  country text not null check (country ~ '^[A-Z]{2}$')
);

-- One row per SIM, written with every accounting packet: kept narrow, without an index on what changes.
create table sim_counter (
  account_id text not null,
  sim_id text not null,
  period_start date not null,
  bytes_up bigint not null,
  bytes_down bigint not null,
  lifetime_up bigint not null,
  lifetime_down bigint not null,
  -- arrival of the last packet
  seen_at timestamptz not null,
  primary key (account_id, sim_id)
) with (fillfactor = 60);

-- A PDP session. The session key is (nas, acct_session_id); a key used again supersedes the older row.
create table data_session (
  account_id text not null,
  id text not null,
  sim_id text not null,
  asset_id text not null,
  gateway_id text not null references gateway,
  nas text not null,
  acct_session_id text not null,
  superseded boolean not null default false,
  imsi text,
  apn text,
  ip inet,
  rat text,
  mccmnc text,
  imei text,
  cell text,
  started_at timestamptz not null,
  -- event time of the newest packet
  updated_at timestamptz not null,
  -- arrival of the newest packet
  heard_at timestamptz not null,
  ended_at timestamptz,
  end_cause text,
  -- high water as reported: Acct-Session-Time in seconds, counters in bytes (gigawords added)
  session_time bigint,
  counter_up bigint not null default 0,
  counter_down bigint not null default 0,
  gigawords_seen boolean not null default false,
  -- when the session that had this key before was closed: packets from up to then are that session's
  reopened_after timestamptz,
  -- what was counted
  bytes_up bigint not null default 0,
  bytes_down bigint not null default 0,
  interim_seconds integer,
  -- { requested_at, answered_at, attempts, answer, words }
  disconnect jsonb,
  primary key (account_id, id)
) with (fillfactor = 70);
create unique index data_session_key on data_session (nas, acct_session_id) where not superseded;
create index data_session_sim on data_session (account_id, sim_id, started_at desc, id desc);
create index data_session_open on data_session (account_id, sim_id) where ended_at is null;
create index data_session_open_gateway on data_session (gateway_id) where ended_at is null;
create index data_session_open_ip on data_session (account_id, ip) where ended_at is null;

-- One row per packet that moved a total. By day of arrival, so that a partition is complete when its day is over.
create table usage_record (
  account_id text not null,
  sim_id text not null,
  session_id text not null,
  event_at timestamptz not null,
  received_at timestamptz not null,
  bytes_up bigint not null,
  bytes_down bigint not null,
  mccmnc text not null,
  rat text not null,
  -- Roll-ups take whole transactions in order: each record exactly once.
  xid xid8 not null default pg_current_xact_id()
) partition by range (received_at);
create index usage_record_xid on usage_record (xid);
create index usage_record_sim on usage_record (account_id, sim_id, event_at);

create function ensure_usage_partitions(first date, last date) returns void language plpgsql as $$
declare
  day date;
begin
  for day in select generate_series(first, last, interval '1 day')::date loop
    execute format('create table if not exists usage_record_%s partition of usage_record for values from (%L) to (%L)',
      to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  end loop;
end $$;

create function drop_usage_partitions(before date) returns setof text language plpgsql as $$
declare
  part text;
begin
  for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_record'::regclass and c.relname < 'usage_record_' || to_char(before, 'YYYYMMDD') loop
    execute format('drop table %I', part);
    return next part;
  end loop;
end $$;

create table usage_hour (
  account_id text not null,
  sim_id text not null,
  hour timestamptz not null,
  mccmnc text not null,
  rat text not null,
  bytes_up bigint not null,
  bytes_down bigint not null,
  primary key (account_id, sim_id, hour, mccmnc, rat)
) with (fillfactor = 80);
-- An account's hours by time. Small (its keys repeat): a fourteenth of the primary key.
create index usage_hour_time on usage_hour (account_id, hour);

create table usage_day (
  account_id text not null,
  sim_id text not null,
  day date not null,
  mccmnc text not null,
  rat text not null,
  bytes_up bigint not null,
  bytes_down bigint not null,
  primary key (account_id, day, sim_id, mccmnc, rat)
) with (fillfactor = 80);
create index usage_day_sim on usage_day (account_id, sim_id, day);

-- The whole account, so that its totals do not read every SIM.
create table account_usage_hour (
  account_id text not null,
  hour timestamptz not null,
  mccmnc text not null,
  rat text not null,
  bytes_up bigint not null,
  bytes_down bigint not null,
  primary key (account_id, hour, mccmnc, rat)
) with (fillfactor = 70);

create table rollup_progress (
  name text primary key,
  -- every transaction below this one is in the roll-ups
  xid xid8 not null,
  complete_until timestamptz not null
);

-- Accounting that matches no SIM: one row per session, its counters at their highest. Never dropped.
create table quarantine (
  id text primary key,
  reason text not null,
  gateway_id text not null references gateway,
  nas text not null,
  acct_session_id text not null,
  identity text not null,
  imsi text,
  msisdn text,
  user_name text,
  first_at timestamptz not null,
  last_at timestamptz not null,
  packets bigint not null default 1,
  counter_up bigint not null default 0,
  counter_down bigint not null default 0,
  mccmnc text,
  rat text,
  last_packet jsonb not null,
  unique (nas, acct_session_id, identity)
);
create index quarantine_last on quarantine (last_at desc, id);

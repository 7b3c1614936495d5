-- serves from 0030
-- A file of rows that somebody asked for, made in the background. `run` counts how often its making began: each has a file of its own, and the
-- newest alone counts. Who is at it says so until `held_until`.
create table report (
  account_id text not null references account on delete cascade,
  id text not null,
  name text not null,
  kind text not null check (kind in ('usage', 'records', 'inventory', 'sessions', 'activities', 'silent')),
  format text not null check (format in ('csv', 'json', 'xlsx')),
  state text not null default 'pending' check (state in ('pending', 'running', 'complete', 'failed', 'cancelled', 'expired')),
  -- days in the time zone, both included; null: of the moment
  start_day date,
  end_day date,
  timezone text not null,
  -- { tags, network_groups, q }
  filter jsonb not null,
  -- who asked, as far as it must be known later; whose sight it is made with is looked up when it is made
  maker jsonb not null,
  person_id text not null,
  -- the tags that limited what they saw when it was made
  sight text[] not null default '{}',
  recipients text[] not null default '{}',
  schedule_id text,
  run integer not null default 0,
  -- how often in a row its making began and did not end
  tries integer not null default 0,
  held_until timestamptz,
  rows bigint not null default 0,
  share real,
  bytes bigint,
  sha256 text,
  failure text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz,
  primary key (account_id, id)
);
create index report_open on report (created_at) where state in ('pending', 'running');
create index report_open_account on report (account_id, created_at) where state in ('pending', 'running');
create index report_expires on report (expires_at) where state = 'complete';
create index report_person on report (account_id, person_id, id);
create index report_created on report (created_at);

create table report_schedule (
  account_id text not null references account on delete cascade,
  id text not null,
  name text not null,
  kind text not null,
  format text not null,
  every text not null check (every in ('day', 'week', 'month')),
  hour smallint not null check (hour between 0 and 23),
  timezone text not null,
  filter jsonb not null,
  maker jsonb not null,
  person_id text not null,
  recipients text[] not null default '{}',
  state text not null default 'active' check (state in ('active', 'paused', 'stopped')),
  stopped_because text,
  -- null while it is not active
  next_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create index report_schedule_next on report_schedule (next_at) where next_at is not null;

-- A link to a report's file that was mailed to somebody. Its secret is kept nowhere.
create table report_link (
  hash bytea primary key,
  account_id text not null,
  report_id text not null,
  to_email text not null,
  expires_at timestamptz not null,
  foreign key (account_id, report_id) references report on delete cascade
);
create index report_link_report on report_link (account_id, report_id);

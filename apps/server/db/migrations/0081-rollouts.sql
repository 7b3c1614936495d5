-- serves from 0030
-- Numbered states of what a fleet runs: what was wanted of its pilot at that time.
create table fleet_version (
  account_id text not null,
  fleet_id text not null,
  version integer not null,
  id text not null,
  pilot_name text not null,
  -- [{ name, image, ports, volumes, environment, restart_policy, health }]; the value of a secret is null
  containers jsonb not null,
  -- { container: { name: value } } of the secrets, encrypted
  sealed_secrets text not null,
  changes text[] not null,
  note text,
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, fleet_id, version),
  foreign key (account_id, fleet_id) references fleet on delete cascade
);
create unique index fleet_version_id on fleet_version (id);

-- The version that whoever joins gets.
alter table fleet add column version integer;

create table rollout (
  account_id text not null,
  id text not null,
  fleet_id text not null,
  version integer not null,
  plan jsonb not null,
  state text not null check (state in ('running', 'paused', 'halted', 'finished', 'aborted')),
  started_at timestamptz not null,
  started_by text not null,
  -- failures from before it do not halt the rollout again
  resumed_at timestamptz,
  finished_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, fleet_id) references fleet on delete cascade
);
-- One at a time.
create unique index rollout_open on rollout (account_id, fleet_id) where state in ('running', 'paused', 'halted');
create index rollout_of_fleet on rollout (account_id, fleet_id, id);

create table rollout_device (
  account_id text not null,
  rollout_id text not null,
  asset_id text not null,
  phase smallint not null,
  state text not null check (state in ('pending', 'started', 'success', 'failure')),
  attempts integer not null default 0,
  -- of what is wanted of the device since the last try began
  revision integer,
  started_at timestamptz,
  settled_at timestamptz,
  error text,
  primary key (account_id, rollout_id, asset_id),
  foreign key (account_id, rollout_id) references rollout on delete cascade,
  foreign key (account_id, asset_id) references asset on delete cascade
);
create index rollout_device_of_asset on rollout_device (account_id, asset_id);

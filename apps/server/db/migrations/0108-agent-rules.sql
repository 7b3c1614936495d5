-- serves from 0030
-- Accounts that said whether the product updates their agents by itself. No row: it does not.
create table agent_rules (
  account_id text primary key references account on delete cascade,
  enabled boolean not null,
  -- { days, from_minute, to_minute, timezone }: when an update may begin; null: at any time
  maintenance_window jsonb,
  changed_at timestamptz not null,
  changed_by text not null,
  -- so many updates failed in a row since the last that was made, or since the rules were set
  failures integer not null default 0,
  -- since when none is begun any more, because too many failed, and of which version
  stopped_at timestamptz,
  stopped_version text
);

-- The last update that the rules of its account began on a device.
create table agent_update_try (
  account_id text not null,
  device_id text not null,
  -- of the update that was asked for; where that is another by now, somebody asked again
  id text not null,
  version text not null,
  begun_at timestamptz not null,
  settled_at timestamptz,
  outcome text check (outcome in ('success', 'failure')),
  words text,
  primary key (account_id, device_id),
  foreign key (account_id, device_id) references device on delete cascade
);
create index agent_update_try_open on agent_update_try (account_id) where settled_at is null;

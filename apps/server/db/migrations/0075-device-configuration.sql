-- serves from 0030
-- A change of a device's configuration: told to it every 30 seconds until it says that it has it (`sent`), that it was handed on (`received`), and
-- we have acknowledged that.
create table device_config (
  account_id text not null,
  device_id text not null,
  id text not null,
  -- the device orders changes by it and names its file after it: one second each
  ts bigint not null,
  configs jsonb not null,
  made_by text not null,
  created_at timestamptz not null,
  published_at timestamptz,
  sent_at timestamptz,
  received_at timestamptz,
  acked_at timestamptz,
  withdrawn_at timestamptz,
  primary key (account_id, device_id, id),
  unique (account_id, device_id, ts),
  foreign key (account_id, device_id) references device on delete cascade
);
create index device_config_open on device_config (device_id) where sent_at is null and received_at is null and withdrawn_at is null;
create trigger device_config_due after insert on device_config for each row execute function notify_device_due();

-- The last update that a device was told to make.
create table device_maintenance (
  account_id text not null,
  device_id text not null,
  services text[] not null,
  beta boolean not null,
  made_by text not null,
  requested_at timestamptz not null,
  versions jsonb not null,
  status text,
  status_at timestamptz,
  primary key (account_id, device_id),
  foreign key (account_id, device_id) references device on delete cascade
);

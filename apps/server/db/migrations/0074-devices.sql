-- serves from 0030
-- A broker that runs: who holds which connections. One that is not seen any more holds none.
create table broker (
  name text primary key,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  clients integer not null default 0,
  -- what it counted since it started
  counters jsonb not null default '{}'
);

-- What speaks for an asset over MQTT: a CORE device, whose user name is its token and its only secret, or an agent of ours, whose user name is its
-- id and whose password is kept as a hash alone.
create table device (
  account_id text not null references account on delete cascade,
  id text not null,
  asset_id text not null,
  kind text not null check (kind in ('core', 'agent')),
  username_hash bytea not null,
  password_hash bytea,
  -- of a CORE device: it is shown again with the line that sets the device up
  sealed_token text,
  created_at timestamptz not null,
  -- since when it is refused, and by whom
  cut_at timestamptz,
  cut_by text,
  online boolean not null default false,
  -- since when it is online, or offline
  since timestamptz,
  held_by text,
  -- of the last birth; the death of the same connection carries the same two
  last_seq integer,
  last_ts double precision,
  last_birth_at timestamptz,
  last_death_at timestamptz,
  last_seen_at timestamptz,
  last_ip text,
  -- sections of keys, each as the device said it last: { system, monitoring, config, geolocation, metrics, … }
  reported jsonb not null default '{}',
  reported_at timestamptz,
  -- what its configuration is to be, key by key
  desired jsonb not null default '{}',
  primary key (account_id, id),
  unique (account_id, asset_id),
  foreign key (account_id, asset_id) references asset on delete cascade,
  check ((kind = 'core') = (sealed_token is not null)),
  check ((kind = 'agent') = (password_hash is not null))
) with (fillfactor = 70);
create unique index device_username on device (username_hash);
create unique index device_id on device (id);
create index device_held on device (held_by) where online;

-- A command on its way to a device. It goes when the broker that holds the device has published it, or at `expires_at`.
create table device_directive (
  account_id text not null,
  device_id text not null,
  id text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, device_id, id),
  foreign key (account_id, device_id) references device on delete cascade
);
create index device_directive_expires on device_directive (expires_at);

-- The broker that holds the device looks what there is for it.
create function notify_device_due() returns trigger language plpgsql as $$
begin
  perform pg_notify('masthead_devices', 'due ' || new.device_id);
  return null;
end $$;
create trigger device_directive_due after insert on device_directive for each row execute function notify_device_due();

-- Sections are joined key by key; what a device reports as null is unknown.
create function join_reported(kept jsonb, given jsonb) returns jsonb language sql immutable parallel safe
return kept || coalesce((select jsonb_object_agg(key, coalesce(kept -> key, '{}') || value) from jsonb_each(given)), '{}');

-- Brokers end the connection of a device that is gone, refused, or has another secret.
create function notify_device_cut() returns trigger language plpgsql as $$
begin
  perform pg_notify('masthead_devices', 'cut ' || old.id);
  return null;
end $$;
create trigger device_gone after delete on device for each row execute function notify_device_cut();
create trigger device_cut after update of cut_at, username_hash, password_hash on device for each row
  when (old.cut_at is distinct from new.cut_at or old.username_hash <> new.username_hash or old.password_hash is distinct from new.password_hash)
  execute function notify_device_cut();

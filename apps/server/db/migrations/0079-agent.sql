-- serves from 0030
-- By it a device is set up as an asset, once. The code itself is kept nowhere.
create table claim_code (
  account_id text not null,
  asset_id text not null,
  hash bytea not null,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, asset_id),
  foreign key (account_id, asset_id) references asset on delete cascade
);
create unique index claim_code_hash on claim_code (hash);

-- How often what is wanted of a device's containers changed. It only grows: generations of containers are numbers of it.
create table application (
  account_id text not null,
  asset_id text not null,
  revision integer not null default 0,
  primary key (account_id, asset_id),
  foreign key (account_id, asset_id) references asset on delete cascade
);

create table container (
  account_id text not null,
  id text not null,
  asset_id text not null,
  name text not null,
  generation integer not null,
  restart integer not null,
  run text not null check (run in ('running', 'stopped')),
  image text not null,
  ports jsonb not null,
  volumes jsonb not null,
  -- [{ name, value, secret }]; the value of a secret is null
  environment jsonb not null,
  -- { name: value } of the secrets, encrypted
  sealed_secrets text not null,
  restart_policy text not null,
  health jsonb,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (account_id, id),
  unique (account_id, asset_id, name),
  foreign key (account_id, asset_id) references application on delete cascade
);

-- What agents measured, at most once a minute. What comes late, after an outage, is of its own minute.
create table device_vitals (
  account_id text not null,
  device_id text not null,
  minute timestamptz not null,
  vitals jsonb not null,
  primary key (account_id, device_id, minute),
  foreign key (account_id, device_id) references device on delete cascade
);
create index device_vitals_minute on device_vitals (minute);

create function keep_device_vitals() returns trigger language plpgsql as $$
begin
  insert into device_vitals (account_id, device_id, minute, vitals)
    values (new.account_id, new.id, date_trunc('minute', (new.reported -> 'vitals' ->> 'at')::timestamptz), new.reported -> 'vitals')
    on conflict do nothing;
  return null;
exception when others then
  -- A time that is none.
  return null;
end $$;
create trigger device_vitals_kept after update of reported on device for each row
  when (new.kind = 'agent' and new.reported -> 'vitals' is not null and new.reported -> 'vitals' is distinct from old.reported -> 'vitals')
  execute function keep_device_vitals();

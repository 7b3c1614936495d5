-- serves from 0030
-- What is wanted of the network of a device with our agent. Its generations are revisions of the application. Null: as the device has it.
create table device_network (
  account_id text not null,
  asset_id text not null,
  generation integer not null,
  -- names of interfaces, the first is used first
  priority jsonb,
  apn text,
  apn_user text,
  has_apn_password boolean not null,
  pin_generation integer,
  -- [{ ssid, security, hidden }] of networks that were set from here; null: none ever was
  wifi jsonb,
  -- { apn_password, pin, wifi: { ssid: password } }, encrypted
  sealed_secrets text not null,
  changed_at timestamptz not null,
  changed_by text not null,
  -- what the device asked for last, and when
  sent_generation integer,
  sent_at timestamptz,
  primary key (account_id, asset_id),
  foreign key (account_id, asset_id) references application on delete cascade
);

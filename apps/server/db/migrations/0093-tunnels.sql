-- serves from 0030
-- A port of a device that is reached at a port of ours for a time.
create table tunnel (
  account_id text not null references account on delete cascade,
  id text not null,
  asset_id text not null,
  -- as it was when the tunnel was opened
  asset_name text not null,
  device_id text not null,
  port integer not null check (port between 1 and 65535),
  -- null: of the device itself
  address text,
  sources text[] not null,
  minutes integer not null,
  -- waiting: the device is not connected
  state text not null default 'waiting' check (state in ('waiting', 'open', 'ended')),
  person_id text not null,
  opened_by text not null,
  opened_at timestamptz not null,
  until timestamptz not null,
  ended_at timestamptz,
  ended_by text,
  end_reason text,
  -- where it listens now, as host:port
  reached_at text,
  -- when the device was told of it last
  told_at timestamptz,
  -- the process at which the device is, which says so until then
  held_by text,
  held_until timestamptz,
  bytes_in bigint not null default 0,
  bytes_out bigint not null default 0,
  connections integer not null default 0,
  connections_now integer not null default 0,
  refused integer not null default 0,
  primary key (account_id, id),
  check ((state = 'ended') = (ended_at is not null))
);
create unique index tunnel_id on tunnel (id);
create index tunnel_standing on tunnel (account_id, device_id) where state <> 'ended';
create index tunnel_asset on tunnel (account_id, asset_id, id);

-- Each connection through a tunnel, and each that was refused.
create table tunnel_connection (
  account_id text not null,
  tunnel_id text not null,
  id text not null,
  at timestamptz not null,
  ended_at timestamptz,
  from_ip text not null,
  result text not null,
  words text,
  bytes_in bigint not null default 0,
  bytes_out bigint not null default 0,
  primary key (account_id, tunnel_id, id),
  foreign key (account_id, tunnel_id) references tunnel on delete cascade
);
create index tunnel_connection_at on tunnel_connection (at);
create index tunnel_connection_open on tunnel_connection (at) where ended_at is null;

alter table account add column tunnels_beside boolean not null default false;

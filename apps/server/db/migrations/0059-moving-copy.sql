-- serves from 0030
-- What moves with every packet, of assets of large accounts: a copy with indexes, which the counters themselves are written too often for.
create table asset_moving (
  account_id text not null,
  asset_id text not null,
  -- the SIM it was copied of: after a swap it is no word of the asset
  sim_id text not null,
  period_start date not null,
  -- bytes of the period, both ways
  used numeric not null,
  seen_at timestamptz not null,
  -- the network of the newest session
  mccmnc text,
  primary key (account_id, asset_id),
  foreign key (account_id, asset_id) references asset (account_id, id) on delete cascade on update cascade
) with (fillfactor = 70);
create index asset_moving_used on asset_moving (account_id, used);
create index asset_moving_seen on asset_moving (account_id, seen_at);
create index asset_moving_network on asset_moving (account_id, mccmnc);

create table asset_moving_copy (
  account_id text primary key references account on delete cascade,
  -- When the copy that is whole was begun.
  copied_at timestamptz not null
);

-- serves from 0030
-- Where an asset stands, as its owner says, and where it stood before. `until` null: now.
create table asset_place (
  account_id text not null,
  asset_id text not null,
  since timestamptz not null,
  until timestamptz,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  set_by text not null,
  primary key (account_id, asset_id, since),
  foreign key (account_id, asset_id) references asset (account_id, id) on delete cascade
);
create unique index asset_place_now on asset_place (account_id, asset_id) where until is null;

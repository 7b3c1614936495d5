-- serves from 0030
-- Assets that are to run the same. `pilot_asset_id` is the one on which a version is tried first.
create table fleet (
  account_id text not null references account on delete cascade,
  id text not null,
  name text not null,
  pilot_asset_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text,
  primary key (account_id, id),
  foreign key (account_id, pilot_asset_id) references asset (account_id, id) on delete set null (pilot_asset_id)
);
create unique index fleet_name on fleet (account_id, lower(name));
create index fleet_pilot on fleet (account_id, pilot_asset_id) where pilot_asset_id is not null;

-- An asset is in one fleet at most.
create table fleet_asset (
  account_id text not null,
  asset_id text not null,
  fleet_id text not null,
  added_at timestamptz not null,
  primary key (account_id, asset_id),
  foreign key (account_id, asset_id) references asset (account_id, id) on delete cascade,
  foreign key (account_id, fleet_id) references fleet on delete cascade
);
create index fleet_asset_of_fleet on fleet_asset (account_id, fleet_id, asset_id);

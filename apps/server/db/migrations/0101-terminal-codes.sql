-- serves from 0030
-- What has to be typed before a terminal of an asset opens.
create table terminal_code (
  account_id text not null references account on delete cascade,
  asset_id text not null,
  -- argon2id
  code_hash text not null,
  set_by text not null,
  set_at timestamptz not null,
  primary key (account_id, asset_id),
  foreign key (account_id, asset_id) references asset (account_id, id) on delete cascade
);

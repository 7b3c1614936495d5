-- serves from 0030
-- Each try of a rollout on a device that is over. Those of before are not known.
create table rollout_try (
  account_id text not null,
  rollout_id text not null,
  asset_id text not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  outcome text not null check (outcome in ('success', 'failure')),
  -- why it failed
  words text,
  primary key (account_id, rollout_id, asset_id, started_at),
  foreign key (account_id, rollout_id, asset_id) references rollout_device on delete cascade
);

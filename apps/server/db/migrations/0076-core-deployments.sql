-- serves from 0030
-- One token for many CORE devices: each that asks with it becomes an asset of the account.
create table core_deployment (
  account_id text not null references account on delete cascade,
  id text not null,
  name text not null,
  region text not null check (region in ('global', 'emea', 'apac')),
  board text not null check (board in ('any', 'raspberry_pi', 'jetson', 'other')),
  -- ids; one that is gone is passed over
  tags text[] not null default '{}',
  -- null: the default group
  network_group_id text,
  max_devices integer,
  expires_at timestamptz,
  paused_at timestamptz,
  revoked_at timestamptz,
  enrolled integer not null default 0,
  last_enrolled_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  rotated_at timestamptz,
  primary key (account_id, id)
);
create unique index core_deployment_name on core_deployment (account_id, lower(name));

-- A device brings a token and says of no account. Tokens that ended stay, so that who still asks with one is seen in the list of its deployment.
create table core_deployment_token (
  hash bytea primary key,
  account_id text not null,
  deployment_id text not null,
  token_end text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  foreign key (account_id, deployment_id) references core_deployment on delete cascade
);
create index core_deployment_token_of on core_deployment_token (account_id, deployment_id);

-- Each ICCID that asked, as it was answered last.
create table core_enrolment (
  account_id text not null,
  deployment_id text not null,
  iccid text not null,
  -- null: refused so far, or the asset was removed since
  asset_id text,
  enrolled_at timestamptz,
  refused_code text,
  first_at timestamptz not null,
  last_at timestamptz not null,
  asked integer not null default 1,
  ip text,
  -- when what its device signs in with was made: one that asks soon after has lost the answer
  token_made_at timestamptz,
  primary key (account_id, deployment_id, iccid),
  foreign key (account_id, deployment_id) references core_deployment on delete cascade,
  foreign key (account_id, asset_id) references asset on delete set null (asset_id)
);
create index core_enrolment_last on core_enrolment (account_id, deployment_id, last_at, iccid);
create index core_enrolment_refused on core_enrolment (account_id, deployment_id) where refused_code is not null;
create index core_enrolment_asset on core_enrolment (account_id, asset_id) where asset_id is not null;

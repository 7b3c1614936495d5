-- serves from 0030
-- Programs that reach the registry of an account and nothing else.
create table registry_robot (
  account_id text not null references account on delete cascade,
  id text not null,
  name text not null,
  prefix text not null,
  hash bytea not null unique,
  can_push boolean not null,
  -- names of repositories without the slug, or their beginning with /*; none: all
  repositories text[] not null,
  expires_at timestamptz,
  created_by text not null,
  person_id text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (account_id, id),
  unique (account_id, name)
);

-- serves from 0030
-- Which tags of an account's repositories are kept; what no rule keeps is deleted each night.
create table registry_retention (
  account_id text not null references registry_account on delete cascade,
  id text not null,
  -- null: of all repositories that have no rule of their own
  repository_id text,
  keep_newest integer check (keep_newest > 0),
  -- pulled or pushed within so many days
  keep_days integer check (keep_days > 0),
  keep_like text[] not null,
  -- images that no tag names go after so many days without a pull
  untagged_days integer check (untagged_days > 0),
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (account_id, id),
  unique nulls not distinct (account_id, repository_id),
  foreign key (account_id, repository_id) references registry_repository on delete cascade
);

-- What clean-ups deleted and kept.
create table registry_clean_up (
  account_id text not null references registry_account on delete cascade,
  id text not null,
  at timestamptz not null,
  -- null: each night's
  started_by text,
  tags integer not null,
  images integer not null,
  freed_bytes bigint not null,
  kept integer not null,
  -- { why_kept, going, staying }
  report jsonb not null,
  primary key (account_id, id)
);
create index registry_clean_up_at on registry_clean_up (account_id, at, id);

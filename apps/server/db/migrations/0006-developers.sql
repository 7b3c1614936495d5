-- API keys and webhooks.

-- A key never may more than its maker may now. `tags` are ids and limit which assets it sees; empty: no limit of its own.
create table api_key (
  account_id text not null references account,
  id text not null,
  name text not null,
  scopes text[] not null,
  tags text[] not null default '{}',
  -- CIDR ranges it may be used from; empty: from anywhere
  addresses text[] not null default '{}',
  expires_at timestamptz,
  calls_per_minute integer not null check (calls_per_minute > 0),
  disabled_at timestamptz,
  created_by text not null references person on delete cascade,
  created_at timestamptz not null default now(),
  rotated_at timestamptz,
  last_used_at timestamptz,
  last_used_ip inet,
  primary key (account_id, id)
);
create index api_key_maker on api_key (created_by);

-- What is sent in X-Api-Key: only its hash is kept. A rotated key has two for a while.
create table api_key_secret (
  hash bytea primary key,
  account_id text not null,
  key_id text not null,
  prefix text not null,
  created_at timestamptz not null default now(),
  -- the end of the overlap; null: the key's own end
  expires_at timestamptz,
  foreign key (account_id, key_id) references api_key on delete cascade
);
create index api_key_secret_key on api_key_secret (account_id, key_id);

-- Calls of a key in the minute that began at `started_at`, taken in portions by the processes that answer them.
create unlogged table api_key_window (
  key_id text primary key,
  started_at timestamptz not null,
  taken integer not null
);

-- The name of the API key something was done with; `actor_email` is then its maker.
alter table event add column actor_key text;

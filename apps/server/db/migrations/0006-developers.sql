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

-- Where events are told to. `secret` is sealed with a key of this installation.
create table webhook (
  account_id text not null references account,
  id text not null,
  name text not null,
  url text not null,
  events text[] not null,
  tags text[] not null default '{}',
  sealed_secret text not null,
  previous_sealed_secret text,
  previous_secret_ends_at timestamptz,
  created_by text not null references person on delete cascade,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  disabled_because text check (disabled_because in ('person', 'failures')),
  -- failed tries in a row
  failures integer not null default 0,
  failing_since timestamptz,
  -- paused: not before then, and one at a time
  next_try_at timestamptz,
  last_delivered_at timestamptz,
  primary key (account_id, id)
);

-- One event for one webhook. What is sent is made anew from the event, which never changes.
create table webhook_delivery (
  account_id text not null,
  id text not null,
  webhook_id text not null,
  -- null: a test
  event_id text,
  type text not null,
  state text not null check (state in ('waiting', 'sending', 'delivered', 'failed')),
  created_at timestamptz not null,
  -- when it is to be tried; while it is being sent, when whoever sends it is given up. Null: no more tries.
  due_at timestamptz,
  done_at timestamptz,
  tries integer not null default 0,
  -- since it was made or sent again
  round_tries integer not null default 0,
  -- [{ at, status, duration_ms, words, reply }], the newest first
  attempts jsonb not null default '[]',
  primary key (account_id, id),
  foreign key (account_id, webhook_id) references webhook on delete cascade
);
create unique index webhook_delivery_event on webhook_delivery (account_id, webhook_id, event_id);
create index webhook_delivery_log on webhook_delivery (account_id, webhook_id, id);
create index webhook_delivery_due on webhook_delivery (account_id, webhook_id, due_at) where due_at is not null;
create index webhook_delivery_age on webhook_delivery (done_at) where done_at is not null;

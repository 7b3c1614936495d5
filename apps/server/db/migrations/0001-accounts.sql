-- Accounts, the people who sign in, and what they did.

create extension if not exists pg_trgm;

create table account (
  id text primary key,
  team_name text not null,
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  timezone text not null default 'UTC',
  feature_flags jsonb not null default '{"network_groups": true}',
  suspended_at timestamptz,
  suspended_reason text,
  created_at timestamptz not null default now()
);

-- Each person owns one account. `permissions` are staff permissions; what a member may do on another account is in `membership`.
create table person (
  id text primary key,
  account_id text not null unique references account,
  email text not null unique check (email = lower(email)),
  password_hash text,
  permissions text[] not null default '{}',
  groups text[] not null default '{}',
  created_at timestamptz not null default now()
);

-- Only the hash of a session's secret is kept.
create table session (
  id_hash bytea primary key,
  person_id text not null references person on delete cascade,
  acting_as text references account,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ip inet,
  user_agent text
);
create index session_person on session (person_id);
create index session_expiry on session (expires_at);

-- A person who may act on the account of someone else. `tags` (ids) limit which assets they see; empty means all.
create table membership (
  account_id text not null references account,
  person_id text not null references person on delete cascade,
  permissions text[] not null,
  tags text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (account_id, person_id)
);
create index membership_person on membership (person_id);

create table invitation (
  account_id text not null references account,
  email text not null check (email = lower(email)),
  permissions text[] not null,
  tags text[] not null default '{}',
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, email)
);
create index invitation_email on invitation (email);

-- Counts tries per address and per account name; the window starts anew when it has ended.
create table attempt (
  key text primary key,
  count integer not null,
  window_ends_at timestamptz not null
);

-- One row per change: the activity log, the trigger of effects, the live update.
create table event (
  account_id text not null references account,
  id text not null,
  at timestamptz not null default now(),
  category text not null,
  action text not null,
  actor_kind text not null check (actor_kind in ('member', 'api_key', 'staff', 'system', 'device')),
  actor_email text not null,
  asset_id text,
  ip inet,
  request_id text,
  detail jsonb not null,
  primary key (account_id, id)
);
create index event_category on event (account_id, category, id);
create index event_asset on event (account_id, asset_id, id) where asset_id is not null;
create index event_actor on event (account_id, actor_email, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger event_append_only before update or delete on event for each row execute function refuse_change();
create trigger event_not_truncated before truncate on event for each statement execute function refuse_change();

-- What a write answered, so that a repeated request answers the same.
create table idempotency_key (
  scope text not null,
  key text not null,
  operation text not null,
  request_hash bytea not null,
  reply json,
  created_at timestamptz not null default now(),
  primary key (scope, key)
);
create index idempotency_key_age on idempotency_key (created_at);

create table signing_key (
  name text primary key,
  secret bytea not null,
  created_at timestamptz not null default now()
);

-- A staff member's stay in the backoffice; a token whose row has ended is worth nothing.
create table backoffice_stay (
  id text primary key,
  person_id text not null references person on delete cascade,
  reason text not null,
  ip inet,
  started_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);

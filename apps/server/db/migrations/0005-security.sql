-- How people prove who they are, beside their password.

-- A session has a name that may be shown. When its secret is changed the one before still counts for a moment: requests are on their way.
alter table session
  add column id text not null default 'sgn_' || replace(gen_random_uuid()::text, '-', ''),
  add column replaced_hash bytea,
  add column replaced_at timestamptz;
create unique index session_id on session (id);
create unique index session_replaced on session (replaced_hash) where replaced_hash is not null;

-- Codes of an authenticator app (RFC 6238). Until it is confirmed it is asked of nobody. `last_step`: a code counts once.
create table authenticator (
  person_id text primary key references person on delete cascade,
  sealed_secret text not null,
  started_at timestamptz not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0
);

-- Only the hash of each code is kept; a used one stays until there are new ones.
create table recovery_code (
  person_id text not null references person on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (person_id, code_hash)
);

create table passkey (
  id text primary key,
  person_id text not null references person on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_person on passkey (person_id);

-- Secrets that are good for one thing, once, for a while: the second step of a sign-in, passkey challenges, links in mails. Only hashes.
create table one_time_secret (
  secret_hash bytea primary key,
  purpose text not null,
  person_id text references person on delete cascade,
  email text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_secret_person on one_time_secret (person_id, purpose);
create index one_time_secret_expiry on one_time_secret (expires_at);

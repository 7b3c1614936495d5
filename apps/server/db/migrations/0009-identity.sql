-- Who is vouched for by an identity provider.

-- A provider knows a person by `subject`, for good; `email` is what it last called them.
create table identity (
  id text primary key,
  issuer text not null,
  subject text not null,
  person_id text not null references person on delete cascade,
  email text not null,
  linked_at timestamptz not null,
  used_at timestamptz not null,
  unique (issuer, subject)
);
create index identity_person on identity (person_id);

-- Ways to the provider that were begun: each leads back once, and only in the browser that began it. With `person_id` it is to be linked to them.
create table identity_attempt (
  state_hash bytea primary key,
  browser_hash bytea not null,
  nonce text not null,
  code_verifier text not null,
  origin text not null,
  return_to text not null,
  person_id text references person on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index identity_attempt_expiry on identity_attempt (expires_at);

-- Sessions that a provider vouched for: signing out leads there too. `id_token` says to the provider whose session is meant.
create table session_identity (
  session_id text primary key references session (id) on delete cascade,
  issuer text not null,
  id_token text
);

-- When somebody proved that the person's e-mail address is theirs.
alter table person add column email_proven_at timestamptz;

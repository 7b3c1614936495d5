-- serves from 0030
-- What support asked for on a device of a customer, and what the customer answered. It outlives the asset: who was let in stays to be read.
create table support_access (
  account_id text not null references account on delete cascade,
  id text not null,
  asset_id text not null,
  -- as it was when support asked
  asset_name text not null,
  staff_person_id text not null,
  staff_email text not null,
  reason text not null,
  state text not null check (state in ('asked', 'allowed', 'over')),
  minutes integer not null,
  standing boolean not null default false,
  asked_at timestamptz not null,
  allowed_at timestamptz,
  allowed_by text,
  -- when a request ends without an answer, or the access by itself
  until timestamptz not null,
  ended_at timestamptz,
  ended_by text,
  end_reason text,
  words text,
  primary key (account_id, id),
  check ((state = 'over') = (ended_at is not null))
);
create unique index support_access_id on support_access (id);
create unique index support_access_open on support_access (account_id, asset_id, staff_person_id) where state <> 'over';
create index support_access_until on support_access (until) where state <> 'over';

alter table account add column support_consent boolean not null default false;
alter table terminal_session add column support_id text;
create index terminal_session_support on terminal_session (account_id, support_id) where support_id is not null;

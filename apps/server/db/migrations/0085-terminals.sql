-- serves from 0030
-- A terminal that somebody opened on a device. It outlives the asset: what was done on it stays to be read.
create table terminal_session (
  account_id text not null references account on delete cascade,
  id text not null,
  asset_id text not null,
  -- as it was when the terminal was opened
  asset_name text not null,
  device_id text not null,
  kind text not null check (kind in ('agent', 'core')),
  state text not null default 'connecting' check (state in ('connecting', 'open', 'ended')),
  person_id text not null,
  opened_by text not null,
  client_ip text,
  cols smallint not null,
  rows smallint not null,
  requested_at timestamptz not null,
  -- when the shell was there
  opened_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  ended_by text,
  words text,
  -- of a CORE device: what it said to our offer, base64
  answer text,
  -- who wants it to end: whoever holds it does so
  end_asked_by text,
  bytes_in bigint not null default 0,
  bytes_out bigint not null default 0,
  -- the process through which it goes, which says so until then
  held_by text,
  held_until timestamptz,
  recording text not null default 'none' check (recording in ('none', 'writing', 'kept', 'deleted')),
  recording_until timestamptz,
  primary key (account_id, id),
  check ((state = 'ended') = (ended_at is not null))
);
create unique index terminal_session_id on terminal_session (id);
create index terminal_session_asset on terminal_session (account_id, asset_id, id);
create index terminal_session_open on terminal_session (account_id) where state <> 'ended';
create index terminal_session_left on terminal_session (requested_at) where state <> 'ended' or recording = 'writing';
create index terminal_session_kept on terminal_session (recording_until) where recording = 'kept';

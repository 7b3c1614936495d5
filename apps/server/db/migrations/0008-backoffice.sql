-- What staff do, and what they look after.

-- Everything staff did or looked at, and what they were refused. `account_id`: the customer it concerns, who is told by an event of their own.
create table staff_log (
  id text primary key,
  at timestamptz not null,
  staff_email text not null,
  person_id text,
  stay_id text,
  action text not null,
  account_id text,
  account_email text,
  asset_id text,
  -- what it was done to, in words: an e-mail, a serial number, the name of a gateway
  target text,
  reason text,
  result text not null check (result in ('ok', 'refused')),
  -- why it was refused
  failure text,
  detail jsonb not null default '{}',
  before jsonb,
  after jsonb,
  ip inet,
  request_id text
);
create index staff_log_account on staff_log (account_id, id) where account_id is not null;
create index staff_log_asset on staff_log (asset_id, id) where asset_id is not null;
create index staff_log_staff on staff_log (staff_email, id);
create index staff_log_action on staff_log (action, id);
create index staff_log_stay on staff_log (stay_id, action) where stay_id is not null;
create trigger staff_log_append_only before update or delete on staff_log for each row execute function refuse_change();
create trigger staff_log_not_truncated before truncate on staff_log for each statement execute function refuse_change();

create index person_staff on person (email) where permissions <> '{}';
create index backoffice_stay_person on backoffice_stay (person_id, started_at desc) where ended_at is null;

-- Staff find an account by a part of its name or of an e-mail.
create index person_email_search on person using gin (email gin_trgm_ops);
create index account_name_search on account using gin (lower(team_name) gin_trgm_ops);
create index account_name on account (lower(team_name), id);
create index account_created on account (created_at, id);
create index account_suspended on account (suspended_at, id) where suspended_at is not null;

create table account_note (
  account_id text not null references account,
  id text not null,
  by_email text not null,
  text text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);

-- A session of staff that looks at a customer's account, and changes nothing there.
create table staff_view (
  session_id text primary key references session (id) on delete cascade,
  account_id text not null references account,
  stay_id text not null references backoffice_stay,
  reason text not null,
  started_at timestamptz not null,
  expires_at timestamptz not null
);
create index staff_view_stay on staff_view (stay_id);

-- Gateways that are switched off stay: what they reported is on record.
alter table gateway
  add column disabled_at timestamptz,
  add column secret_changed_at timestamptz,
  add column packets bigint not null default 0;
drop trigger gateway_changed on gateway;
create trigger gateway_changed after insert or delete or update of name, address, secret, legacy, disabled_at on gateway
  for each statement execute function tell_meters();

-- What a network offers, and what its traffic costs us and the customer from a day on.
alter table network
  add column rats text[] not null default '{}',
  add column active boolean not null default true,
  add column notes text not null default '';
create table network_rate (
  mccmnc text not null references network on delete cascade,
  effective_from date not null,
  zone text not null,
  -- millionths of a US dollar for a megabyte (1,000,000 bytes)
  cost_micros bigint not null check (cost_micros >= 0),
  price_micros bigint not null check (price_micros >= 0),
  set_by text not null,
  set_at timestamptz not null,
  primary key (mccmnc, effective_from)
);

-- What became of accounting that matched no SIM. `counted_at`: its usage went through the meter's rules.
alter table quarantine
  add column state text not null default 'open' check (state in ('open', 'matched', 'discarded')),
  add column resolved_at timestamptz,
  add column resolved_by text,
  add column resolve_reason text,
  add column matched_account_id text,
  add column matched_sim_id text,
  add column counted_at timestamptz;
create index quarantine_state on quarantine (state, last_at desc, id desc);
create index quarantine_identity on quarantine (identity, state);

-- Stock is found by its newest, and by the beginning of a number.
create index inventory_loaded on inventory (loaded_at, lower(serial));
create index inventory_serial_start on inventory (lower(serial) text_pattern_ops);
create index inventory_free on inventory (lower(serial)) where account_id is null;

-- Staff open an asset of whatever account by its id.
create index asset_by_id on asset (id);

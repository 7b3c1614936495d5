-- serves from 0030
-- A gateway that is none: what a feed reports hangs on it, as every session has a gateway.
alter table gateway add column of_feed boolean not null default false;

-- A source of usage beside RADIUS. Its gateway has the same id, and no address.
create table feed (
  id text primary key references gateway,
  name text not null,
  -- of the key that its program sends; the prefix is shown
  key_hash bytea not null unique,
  key_prefix text not null,
  -- of MASTHEAD_CDR_DIR: the CSV files there are its own
  folder text unique,
  -- without a word for so long, staff are alerted; null: they are not
  silent_after_minutes integer check (silent_after_minutes > 0),
  created_at timestamptz not null,
  created_by text not null,
  disabled_at timestamptz,
  heard_at timestamptz
);

-- What a feed reported once, by the name that it has there: reported again it changes nothing.
create table feed_record (
  feed_id text not null references feed,
  kind text not null check (kind in ('usage', 'event')),
  record_id text not null,
  received_at timestamptz not null,
  outcome text not null check (outcome in ('counted', 'compared', 'quarantined', 'kept')),
  primary key (feed_id, kind, record_id)
);
create index feed_record_received on feed_record using brin (received_at);

-- What a feed reported of a SIM and a day, and how much of that was counted. The rest was reported by the feed that counts.
create table feed_day (
  account_id text not null,
  sim_id text not null,
  day date not null,
  feed_id text not null references feed,
  records integer not null,
  bytes bigint not null,
  counted_bytes bigint not null,
  primary key (account_id, sim_id, day, feed_id)
);
create index feed_day_feed on feed_day (feed_id, day);

-- The feed that counts for a SIM, where no gateway reports of it, and up to when it did.
create table sim_feed (
  account_id text not null,
  sim_id text not null,
  feed_id text not null references feed,
  counted_to timestamptz not null,
  primary key (account_id, sim_id),
  foreign key (account_id, sim_id) references sim on delete cascade
);

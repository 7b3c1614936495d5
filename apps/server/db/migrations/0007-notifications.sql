-- The proof that the activity log is whole, and what people are told of it.

-- An account's events in the order they were sealed, each hash made of the one before it and the event: nothing can be altered, removed,
-- put elsewhere or slipped in between without every later hash being wrong.
create table event_seal (
  account_id text not null,
  number bigint not null check (number > 0),
  event_id text not null,
  hash bytea not null,
  primary key (account_id, number),
  unique (account_id, event_id)
);
create trigger event_seal_append_only before update or delete on event_seal for each row execute function refuse_change();
create trigger event_seal_not_truncated before truncate on event_seal for each statement execute function refuse_change();

-- The end of each account's chain.
create table event_chain (
  account_id text primary key,
  number bigint not null,
  hash bytea not null,
  sealed_at timestamptz not null
);

-- Events not sealed yet. Whoever writes an event adds a row of their own, so nobody waits for anybody; the sealer takes what is committed.
create table event_unsealed (
  account_id text not null,
  event_id text not null,
  -- which of two came first, as far as transactions tell
  xid xid8 not null default pg_current_xact_id(),
  primary key (account_id, event_id)
);
insert into event_unsealed (account_id, event_id) select account_id, id from event;

create function await_sealing() returns trigger language plpgsql as $$
begin
  insert into event_unsealed (account_id, event_id) select account_id, id from written;
  return null;
end $$;
create trigger event_awaits_sealing after insert on event referencing new table as written
  for each statement execute function await_sealing();

-- What somebody should look at. One row per cause while it stands; what happens again is counted.
create table alert (
  account_id text not null references account,
  id text not null,
  -- what it is about, the same words each time: sim_block:sim_…:data_limit
  cause text not null,
  severity text not null check (severity in ('info', 'warn', 'critical')),
  source text not null check (source in ('network', 'policy', 'api', 'billing', 'device', 'security', 'staff')),
  -- `owner`: nobody but the owner of the account sees it
  audience text not null check (audience in ('members', 'owner')),
  -- what a member needs beside notifications.view
  permission text,
  asset_id text,
  -- where in the console one sees more
  link text,
  title text not null,
  words text not null,
  -- false: it tells of something that is over as it happens (somebody looked), and is done once it is acknowledged
  lasting boolean not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  count integer not null default 1,
  acknowledged_at timestamptz,
  acknowledged_by text,
  resolved_at timestamptz,
  resolved_words text,
  primary key (account_id, id)
);
create unique index alert_cause on alert (account_id, cause) where resolved_at is null;
create index alert_last on alert (account_id, last_at desc, id desc);
create index alert_age on alert (last_at);
create index alert_open on alert (account_id, asset_id) where resolved_at is null;

-- Which event told of which cause: an event that is told twice counts once.
create table alert_firing (
  account_id text not null,
  told_by text not null,
  cause text not null,
  alert_id text not null,
  at timestamptz not null,
  primary key (account_id, told_by, cause),
  foreign key (account_id, alert_id) references alert on delete cascade
);
create index alert_firing_alert on alert_firing (account_id, alert_id, at desc);

create table alert_read (
  account_id text not null,
  alert_id text not null,
  person_id text not null references person on delete cascade,
  read_at timestamptz not null,
  primary key (account_id, alert_id, person_id),
  foreign key (account_id, alert_id) references alert on delete cascade
);

-- What a person wants to be told of an account, and how. Without a row: as the columns' defaults say.
create table notification_preference (
  account_id text not null references account,
  person_id text not null references person on delete cascade,
  in_app text[] not null default '{info,warn,critical}',
  mail text[] not null default '{warn,critical}',
  webhook text[] not null default '{}',
  -- sources nobody is to be told of
  muted text[] not null default '{}',
  -- minutes after midnight in `timezone` (that of the person's own account where it is null); null: no quiet hours
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  timezone text,
  -- critical alerts come in quiet hours too
  urgent boolean not null default true,
  cooldown_minutes integer not null default 60 check (cooldown_minutes between 0 and 1440),
  primary key (account_id, person_id),
  check ((quiet_from is null) = (quiet_to is null))
);

-- What is to be told outside of the console, and what was. One mail gathers all that is due for a person.
create table alert_delivery (
  account_id text not null,
  alert_id text not null,
  person_id text not null references person on delete cascade,
  channel text not null check (channel in ('mail', 'webhook')),
  -- the count of the alert that it tells of
  firing integer not null,
  cause text not null,
  due_at timestamptz not null,
  sent_at timestamptz,
  -- not told: no longer theirs to know, or nothing to tell any more
  dropped_at timestamptz,
  primary key (account_id, alert_id, person_id, channel, firing),
  foreign key (account_id, alert_id) references alert on delete cascade
);
create index alert_delivery_due on alert_delivery (due_at) where sent_at is null and dropped_at is null;
create index alert_delivery_cause on alert_delivery (account_id, person_id, channel, cause, due_at desc);

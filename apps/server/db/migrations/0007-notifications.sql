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

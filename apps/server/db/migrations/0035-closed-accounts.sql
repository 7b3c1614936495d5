-- serves from 0030
-- An owner closes their account: it can be reopened until `erase_at`, then what is personal goes.
alter table account
  add column closed_at timestamptz,
  add column erase_at timestamptz,
  add column erased_at timestamptz;

-- What a removed activity was in the hash chain: the chain can still be proved, what was said is gone.
create table event_erased (
  account_id text not null,
  event_id text not null,
  digest bytea not null,
  erased_at timestamptz not null,
  primary key (account_id, event_id)
);

-- Activities are never changed, and go only with their account, once what they were in the chain is kept.
create function refuse_event_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
    and exists (select from account where id = old.account_id and closed_at is not null and erase_at <= now())
    and exists (select from event_erased where account_id = old.account_id and event_id = old.id)
  then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
drop trigger event_append_only on event;
create trigger event_append_only before update or delete on event for each row execute function refuse_event_change();

-- Everything of an account, gathered for its owner, in pieces so that it is never whole in memory.
create table account_export (
  account_id text not null references account,
  id text not null,
  asked_at timestamptz not null,
  done_at timestamptz,
  failed_at timestamptz,
  expires_at timestamptz,
  row_count bigint not null default 0,
  bytes bigint not null default 0,
  primary key (account_id, id)
);
create table account_export_part (
  account_id text not null,
  export_id text not null,
  number integer not null,
  lines text not null,
  primary key (account_id, export_id, number),
  foreign key (account_id, export_id) references account_export on delete cascade
);

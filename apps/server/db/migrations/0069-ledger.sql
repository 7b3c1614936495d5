-- serves from 0030
-- An account has a row here once staff switched billing on for it; without one nothing is charged. `balance_micros` is kept beside its sum, `posted`
-- counts its transactions. What can be refused brings the balance down to `limit_micros` and no further.
create table billing_account (
  account_id text primary key references account,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  enabled_at timestamptz not null,
  enabled_by text not null,
  -- exact as a JSON number
  balance_micros bigint not null default 0 check (balance_micros between -9000000000000000 and 9000000000000000),
  limit_micros bigint not null default 0,
  posted bigint not null default 0
);

-- One thing that happened to the customer's balance. `amount_micros` is what it added. `key` is what it is known by: posted again it changes nothing.
create table ledger_transaction (
  account_id text not null references billing_account,
  id text not null,
  key text not null,
  -- 1, 2, 3 in the order of posting
  number bigint not null,
  type text not null check (type in ('credit', 'charge', 'refund', 'adjustment', 'expiry', 'void')),
  sub_type text not null,
  amount_micros bigint not null,
  balance_after_micros bigint not null,
  description text not null,
  reason text,
  actor text not null,
  -- by what way it came: card, auto_refill, staff, system, usage
  source text not null,
  effective_at timestamptz not null,
  posted_at timestamptz not null,
  usage_from timestamptz,
  usage_to timestamptz,
  quantity numeric,
  unit text,
  unit_price_micros numeric,
  zone text,
  tariff_version text,
  asset_id text,
  sim_id text,
  pool_id text,
  payment_id text,
  -- the transaction that this one takes back, or a part of it
  corrects text,
  primary key (account_id, id),
  unique (account_id, key),
  unique (account_id, number)
);
create index ledger_transaction_asset on ledger_transaction (account_id, asset_id, number) where asset_id is not null;
create index ledger_transaction_corrects on ledger_transaction (account_id, corrects) where corrects is not null;

-- Its lines: what is added to one is taken from another. Above zero is credit, below is debit.
create table ledger_entry (
  account_id text not null,
  transaction_id text not null,
  line smallint not null,
  ledger_account text not null check (ledger_account in ('customer_balance', 'cash', 'revenue', 'granted', 'tax')),
  amount_micros bigint not null check (amount_micros <> 0),
  primary key (account_id, transaction_id, line)
);

-- What is left of each credit: spent by priority, then by the soonest end. All that is left together is the balance, or nothing where that is below zero.
create table ledger_grant (
  account_id text not null references billing_account,
  transaction_id text not null,
  kind text not null check (kind in ('purchased', 'granted')),
  amount_micros bigint not null check (amount_micros > 0),
  remaining_micros bigint not null check (remaining_micros between 0 and amount_micros),
  priority smallint not null,
  expires_at timestamptz,
  primary key (account_id, transaction_id)
);
create index ledger_grant_left on ledger_grant (account_id, priority, expires_at) where remaining_micros > 0;
create index ledger_grant_expires on ledger_grant (expires_at) where remaining_micros > 0 and expires_at is not null;

-- When the books were last compared, and what did not agree.
create table ledger_proof (
  id text primary key,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  accounts bigint not null,
  transactions bigint not null,
  differences jsonb not null
);

-- The lines of a transaction add up to nothing, and what they add to the balance is its amount: seen when the transaction of the database ends.
create function check_ledger_balances() returns trigger language plpgsql as $$
declare
  the_id text := case tg_table_name when 'ledger_entry' then to_jsonb(new) ->> 'transaction_id' else to_jsonb(new) ->> 'id' end;
  booked bigint;
  total numeric;
  of_customer numeric;
begin
  select amount_micros into booked from ledger_transaction where account_id = new.account_id and id = the_id;
  select coalesce(sum(amount_micros), 0), coalesce(sum(amount_micros) filter (where ledger_account = 'customer_balance'), 0) into total, of_customer
    from ledger_entry where account_id = new.account_id and transaction_id = the_id;
  if booked is null or total <> 0 or of_customer <> booked then
    raise exception 'ledger transaction % does not balance', the_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_transaction_balances after insert on ledger_transaction
  deferrable initially deferred for each row execute function check_ledger_balances();
create constraint trigger ledger_entry_balances after insert on ledger_entry
  deferrable initially deferred for each row execute function check_ledger_balances();

create trigger ledger_transaction_append_only before update or delete on ledger_transaction for each row execute function refuse_change();
create trigger ledger_transaction_not_truncated before truncate on ledger_transaction for each statement execute function refuse_change();
create trigger ledger_entry_append_only before update or delete on ledger_entry for each row execute function refuse_change();
create trigger ledger_entry_not_truncated before truncate on ledger_entry for each statement execute function refuse_change();
-- Also of who owns them: they are locked and referred to by nobody, which would need it.
revoke update, delete, truncate on ledger_transaction, ledger_entry from public, current_user;

-- Whoever had all permissions of staff has this one too.
update person set permissions = permissions || '{manage_billing}'
where permissions @> '{backoffice,audit_logs,manage_networks,manage_datapools,manage_usage}' and not permissions @> '{manage_billing}';

-- serves from 0030
-- Credits that somebody buys, from the wish to what became of it at the card provider.
create table top_up (
  account_id text not null references billing_account,
  id text not null,
  state text not null check (state in ('preparing', 'requires_action', 'processing', 'succeeded', 'failed', 'canceled')),
  amount_micros bigint not null check (amount_micros > 0),
  currency text not null,
  source text not null check (source in ('card', 'auto_refill')),
  -- what the provider calls the card, and how people know it
  method_id text not null,
  card_name text not null,
  provider_id text unique,
  -- for the browser, while the holder's bank asks
  client_secret text,
  words text,
  begun_by text not null,
  begun_at timestamptz not null,
  ended_at timestamptz,
  transaction_id text,
  -- of what was paid: taken back since
  refunded_micros bigint not null default 0,
  disputed_at timestamptz,
  primary key (account_id, id)
);
-- One at a time on an account.
create unique index top_up_open on top_up (account_id) where state in ('preparing', 'requires_action', 'processing');
create index top_up_waiting on top_up (begun_at) where state in ('preparing', 'requires_action', 'processing');

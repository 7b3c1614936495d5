-- serves from 0030
-- What staff have paid back to a card: from the wish to what the card provider made of it.
create table pay_back (
  account_id text not null references billing_account,
  id text not null,
  top_up_id text not null,
  amount_micros bigint not null check (amount_micros > 0),
  reason text not null,
  asked_by text not null,
  asked_at timestamptz not null,
  state text not null check (state in ('asked', 'done', 'failed')),
  words text,
  primary key (account_id, id)
);
create index pay_back_asked on pay_back (account_id, top_up_id) where state = 'asked';

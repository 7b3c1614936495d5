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

-- Added to what is paid, by what staff say of an account: 2500 are 25 %.
alter table billing_account add column tax_name text, add column tax_basis_points integer not null default 0 check (tax_basis_points between 0 and 5000);
alter table top_up add column tax_micros bigint not null default 0, add column tax_words text, add column refunded_tax_micros bigint not null default 0;

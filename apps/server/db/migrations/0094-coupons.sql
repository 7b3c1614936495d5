-- serves from 0030
-- What staff give away by a code. It belongs to no account.
create table coupon (
  id text primary key,
  code text not null unique,
  kind text not null check (kind in ('amount', 'percent')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- what is given; of a bonus the most that is
  amount_micros bigint not null check (amount_micros > 0),
  percent smallint check (percent between 1 and 100),
  credit_days integer,
  expires_at timestamptz,
  most_uses integer,
  uses integer not null default 0,
  created_at timestamptz not null,
  created_by text not null,
  ended_at timestamptz,
  check ((kind = 'percent') = (percent is not null)),
  check (most_uses is null or uses <= most_uses)
);

-- Once on an account. A bonus waits without a transaction until credits are bought.
create table coupon_use (
  account_id text not null references billing_account,
  coupon_id text not null references coupon,
  used_at timestamptz not null,
  used_by text not null,
  given_micros bigint,
  given_at timestamptz,
  transaction_id text,
  primary key (account_id, coupon_id)
);
create index coupon_use_coupon on coupon_use (coupon_id, used_at);
create index coupon_use_waits on coupon_use (account_id) where transaction_id is null;

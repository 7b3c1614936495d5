-- serves from 0030
-- What watches over the balance of an account. `told`: which warning it is below and people were told of. `refill_armed_at`: failures before it do not
-- count. `refill_asked_at`: when a job was last asked to look. `refill_limit_month`: in which month it was told that the limit is reached.
create table balance_rule (
  account_id text primary key references account on delete cascade,
  warn_micros bigint check (warn_micros > 0),
  urgent_micros bigint check (urgent_micros > 0),
  told text check (told in ('warn', 'urgent')),
  refill_on boolean not null default false,
  refill_mode text check (refill_mode in ('fixed', 'target')),
  refill_below_micros bigint,
  refill_amount_micros bigint,
  refill_month_limit_micros bigint,
  refill_armed_at timestamptz,
  refill_asked_at timestamptz,
  refill_limit_month date,
  refill_stopped_words text,
  check (refill_mode is null or (refill_below_micros is not null and refill_amount_micros is not null and refill_month_limit_micros is not null and refill_armed_at is not null)),
  check (refill_mode is not null or not refill_on)
);
create index top_up_of_refill on top_up (account_id, begun_at) where source = 'auto_refill';

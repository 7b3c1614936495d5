-- serves from 0030
-- What a scope has until now: bytes that are rounded together, and what was charged for them. `scope`: session:<id>, day:<day>, or month. What rounds each
-- record has none.
create table charge_scope (
  account_id text not null references account on delete cascade,
  sim_id text not null,
  month date not null,
  scope text not null,
  -- the price: a version, what was agreed from a day on, and a zone (none: free)
  tariff_id text not null,
  number integer not null,
  from_day date not null,
  zone_id text not null,
  source text not null check (source in ('payg', 'pool_overage')),
  bytes bigint not null,
  charged_micros bigint not null,
  primary key (account_id, sim_id, month, scope, tariff_id, number, from_day, zone_id, source)
);
create index charge_scope_month on charge_scope (month);

-- What was charged for a day of a SIM: `day` is the day of the usage, or with `is_late` the day on which usage of a closed month was told. The parts
-- that are in the ledger are counted beside it. `is_open`: something may be left to settle or to sum.
create table charge (
  account_id text not null references account on delete cascade,
  sim_id text not null,
  day date not null,
  tariff_id text not null,
  number integer not null,
  from_day date not null,
  zone_id text not null,
  source text not null,
  mccmnc text not null,
  is_late boolean not null,
  price_micros bigint not null,
  bytes bigint not null,
  billed_bytes bigint not null,
  charged_micros bigint not null,
  used_from timestamptz not null,
  used_to timestamptz not null,
  summed_bytes bigint not null default 0,
  summed_micros bigint not null default 0,
  settled_bytes bigint not null default 0,
  settled_micros bigint not null default 0,
  settlements integer not null default 0,
  is_open boolean not null default true,
  primary key (account_id, sim_id, day, tariff_id, number, from_day, zone_id, source, mccmnc, is_late)
);
create index charge_open on charge (account_id, sim_id) where is_open;

-- Sums of charges by month: of an account by kind and country, and of a SIM by kind.
create table cost_month (
  account_id text not null references account on delete cascade,
  month date not null,
  kind text not null,
  country text not null,
  micros bigint not null,
  bytes bigint not null,
  primary key (account_id, month, kind, country)
);
create table cost_sim (
  account_id text not null references account on delete cascade,
  month date not null,
  sim_id text not null,
  kind text not null,
  micros bigint not null,
  bytes bigint not null,
  primary key (account_id, month, sim_id, kind)
);

-- The price of data in a network for an account on a day; no row where it pays by no tariff.
create function rates_of(accounts text[], networks text[], days date[])
  returns table (n bigint, tariff_id text, number integer, from_day date, zone_id text, price_micros bigint, block_bytes bigint, rounding_scope text, kb smallint)
  language sql stable
begin atomic
  select asked.n, given.tariff_id, v.number, given.from_day, coalesce(z.id, ''),
    coalesce((given.own_prices ->> z.id)::bigint, z.price_micros, 0), v.block_bytes, v.rounding_scope, v.kb
  from unnest(accounts, networks, days) with ordinality as asked (account_id, network, day, n)
    cross join lateral (select a.tariff_id, a.from_day, a.own_prices from account_tariff a where a.account_id = asked.account_id and a.from_day <= asked.day
      order by a.from_day desc limit 1) given
    cross join lateral (select w.number, w.block_bytes, w.rounding_scope, w.kb from tariff_version w where w.tariff_id = given.tariff_id and w.effective_from <= asked.day
      order by w.effective_from desc limit 1) v
    left join tariff_zone z on z.tariff_id = given.tariff_id and z.number = v.number and z.id = tariff_zone_of(given.tariff_id, v.number, asked.network);
end;

-- What is charged and not in the ledger yet, of an account. `used_up_at`: since when no credits are left, which is the decision that Access-Requests read;
-- `at_zero`: whether that stops the SIMs whose next byte would be charged.
create table charge_account (
  account_id text primary key references account on delete cascade,
  unsettled_micros bigint not null default 0,
  at_zero text not null default 'stop' check (at_zero in ('stop', 'go_on')),
  used_up_at timestamptz
);
create index charge_day on charge (day);

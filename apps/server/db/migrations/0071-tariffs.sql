-- serves from 0030
-- A price list. `is_standard`: the general plan, which everybody sees.
create table tariff (
  id text primary key,
  name text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  is_standard boolean not null default false,
  last_number integer not null default 0,
  created_at timestamptz not null,
  created_by text not null
);
create unique index tariff_name on tariff (lower(name));
create unique index tariff_standard on tariff (is_standard) where is_standard;

-- What it says from a day on, 00:00 UTC. Once that day has come, a version and its zones never change.
create table tariff_version (
  tariff_id text not null references tariff,
  number integer not null,
  effective_from date not null,
  block_bytes bigint not null check (block_bytes > 0),
  rounding_scope text not null check (rounding_scope in ('record', 'session', 'day', 'month')),
  kb smallint not null check (kb in (1000, 1024)),
  -- { activation_micros, reactivation_micros, active_monthly: [{ from, price_micros }], inactive_monthly_micros, standby_monthly_micros }
  fees jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (tariff_id, number),
  unique (tariff_id, effective_from)
);

create table tariff_zone (
  tariff_id text not null,
  number integer not null,
  id text not null,
  place smallint not null,
  name text not null,
  -- for a megabyte
  price_micros bigint not null check (price_micros >= 0),
  primary key (tariff_id, number, id),
  foreign key (tariff_id, number) references tariff_version on delete cascade
);

-- `network`: an MCC-MNC (262-01), an MCC for the rest of its networks (262), or * for all others.
create table tariff_network (
  tariff_id text not null,
  number integer not null,
  network text not null,
  zone_id text not null,
  primary key (tariff_id, number, network),
  foreign key (tariff_id, number, zone_id) references tariff_zone on delete cascade
);

-- By which tariff an account pays from a day on; none: nothing is charged from then on. Without a row nothing ever was.
create table account_tariff (
  account_id text not null references account on delete cascade,
  from_day date not null,
  tariff_id text references tariff,
  -- agreed with this account: { zone: micros for a megabyte }
  own_prices jsonb not null default '{}',
  assigned_at timestamptz not null,
  assigned_by text not null,
  primary key (account_id, from_day)
);

-- The zone of a network in a version; null: none has it.
create function tariff_zone_of(the_tariff text, the_number integer, the_network text) returns text language sql stable
return (select zone_id from tariff_network where tariff_id = the_tariff and number = the_number
    and network in (the_network, split_part(the_network, '-', 1), '*')
  order by length(network) desc limit 1);

-- serves from 0030
-- What the card provider keeps for accounts, by its ids: no card number is ever here.
create table card_customer (
  account_id text primary key references account on delete cascade,
  provider_id text not null unique,
  made_at timestamptz not null
);

create table card (
  account_id text not null references account on delete cascade,
  id text not null,
  provider_id text not null unique,
  brand text not null,
  last_four text not null,
  exp_month int not null,
  exp_year int not null,
  is_default boolean not null,
  added_by text,
  added_at timestamptz not null,
  primary key (account_id, id)
);
create unique index card_default on card (account_id) where is_default;

-- A form for a card. Kept for a day.
create table card_setup (
  account_id text not null references account on delete cascade,
  id text not null,
  state text not null check (state in ('preparing', 'ready', 'checking', 'done', 'failed')),
  provider_id text unique,
  client_secret text,
  card_id text,
  words text,
  begun_by text,
  begun_at timestamptz not null,
  primary key (account_id, id)
);
create index card_setup_begun on card_setup (begun_at);

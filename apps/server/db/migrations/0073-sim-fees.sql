-- serves from 0030
-- What a SIM was charged for a month beside its data, each once. The order in which active SIMs came says which step of the price each has.
create table sim_fee (
  account_id text not null references account on delete cascade,
  month date not null,
  kind text not null check (kind in ('sim_active', 'sim_inactive', 'sim_standby', 'sim_activation', 'sim_reactivation')),
  sim_id text not null,
  micros bigint not null,
  charged_at timestamptz not null,
  primary key (account_id, month, kind, sim_id)
);

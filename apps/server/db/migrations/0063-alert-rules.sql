-- serves from 0030
-- What customers have watched: a measure of a day (UTC), of which assets, and what is done when it is reached.
create table alert_rule (
  account_id text not null references account on delete cascade,
  id text not null,
  name text not null check (name <> ''),
  metric text not null,
  -- Bytes, times or hours, as the metric says.
  threshold bigint not null check (threshold > 0),
  -- Of a metric that asks where: ISO 3166-1.
  countries text[] not null default '{}',
  -- A line of the assets list; empty: all assets.
  scope text not null,
  severity text not null check (severity in ('info', 'warn', 'critical')),
  action text not null check (action in ('tell', 'deactivate_sim', 'set_network_group')),
  network_group_id text,
  after_minutes int not null check (after_minutes between 0 and 1440),
  -- Of one SIM: so many days until it fires again.
  cooldown_days int not null check (cooldown_days between 1 and 30),
  -- Beyond so many SIMs a day the rule only notifies.
  most_sims int not null check (most_sims between 1 and 1000),
  -- Null: switched off.
  enabled_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  looked_at timestamptz,
  -- Why it could not be looked at, the last time.
  failed_words text,
  primary key (account_id, id)
);
-- Which is looked at next.
create index alert_rule_next on alert_rule (looked_at nulls first) where enabled_at is not null;

create table alert_rule_firing (
  account_id text not null,
  id text not null,
  rule_id text not null,
  -- Null: of the whole account.
  asset_id text,
  sim_id text,
  day date not null,
  value numeric not null,
  at timestamptz not null,
  -- When its action is due. Null: it only notifies.
  act_at timestamptz,
  acted_at timestamptz,
  -- What became of the action: changed, blocked, called_off, or why it was left.
  outcome text,
  -- What the SIM was before.
  before jsonb,
  undone_at timestamptz,
  undone_by text,
  primary key (account_id, id),
  foreign key (account_id, rule_id) references alert_rule on delete cascade
);
create unique index alert_rule_firing_once on alert_rule_firing (account_id, rule_id, coalesce(sim_id, ''), day);
create index alert_rule_firing_rule on alert_rule_firing (account_id, rule_id, id);
create index alert_rule_firing_due on alert_rule_firing (act_at) where act_at is not null and outcome is null;
create index alert_rule_firing_at on alert_rule_firing (at);

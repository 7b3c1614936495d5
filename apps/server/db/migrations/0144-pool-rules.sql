-- serves from 0030
-- A rule of data pools fires for each pool once a day. The time out is of a table with some thousand rows.
alter table alert_rule_firing add column pool_id text;
create unique index alert_rule_firing_once_for on alert_rule_firing (account_id, rule_id, coalesce(sim_id, asset_id, pool_id, ''), day);
drop index alert_rule_firing_once_each;

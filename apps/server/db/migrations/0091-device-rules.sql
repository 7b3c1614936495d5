-- serves from 0030
-- A rule of devices fires for each asset once a day. The time out is of a table with some thousand rows.
create unique index alert_rule_firing_once_each on alert_rule_firing (account_id, rule_id, coalesce(sim_id, asset_id, ''), day);
drop index alert_rule_firing_once;

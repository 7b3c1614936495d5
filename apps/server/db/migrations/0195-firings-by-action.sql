-- serves from 0030
-- runs outside a transaction
create unique index concurrently if not exists alert_rule_firing_once_each on alert_rule_firing
  (account_id, rule_id, coalesce(sim_id, asset_id, pool_id, ''), day, (case when further then action else '' end))

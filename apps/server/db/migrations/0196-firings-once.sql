-- serves from 0030
-- runs outside a transaction
drop index concurrently if exists alert_rule_firing_once_for

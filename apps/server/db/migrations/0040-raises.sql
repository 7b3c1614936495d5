-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists usage_limit_only_raise on usage_limit (raised_period) where only_raise;

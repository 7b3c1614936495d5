-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists data_pool_usage_iccid on data_pool_usage (account_id, pool_id, starts_at, iccid) where brought_bytes > 0;

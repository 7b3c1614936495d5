-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists ledger_transaction_pool on ledger_transaction (account_id, pool_id, number) where pool_id is not null

-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists ledger_transaction_data_pool on ledger_transaction (account_id, effective_at) where sub_type = 'data_pool'

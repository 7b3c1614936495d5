-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists ledger_transaction_type on ledger_transaction (account_id, type, number) where type <> 'charge'

-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists ledger_transaction_amount on ledger_transaction (account_id, abs(amount_micros))

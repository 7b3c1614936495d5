-- serves from 0030
-- runs outside a transaction
create unique index concurrently if not exists quarantine_use on quarantine (gateway_id, nas, acct_session_id, identity, kind, use)

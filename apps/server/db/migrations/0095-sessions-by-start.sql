-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists data_session_started on data_session (account_id, started_at) where nas <> gateway_id

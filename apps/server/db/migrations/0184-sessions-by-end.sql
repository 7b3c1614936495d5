-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists data_session_ended on data_session (account_id, ended_at) where ended_at is not null and nas <> gateway_id

-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists data_session_gateway on data_session (gateway_id)

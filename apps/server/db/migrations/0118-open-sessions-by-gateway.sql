-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists data_session_open_gateway on data_session (gateway_id, id) where ended_at is null

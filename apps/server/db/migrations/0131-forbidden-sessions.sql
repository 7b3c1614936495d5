-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists data_session_forbidden on data_session (account_id, sim_id) where forbidden is not null and ended_at is null

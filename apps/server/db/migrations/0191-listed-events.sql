-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists event_listed on event (account_id, id) where bulk_id is null

-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists top_up_id on top_up (id)

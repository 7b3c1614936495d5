-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists top_up_failed on top_up (id) where state = 'failed'

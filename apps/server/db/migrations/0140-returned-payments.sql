-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists top_up_returned on top_up (id) where refunded_micros > 0::bigint

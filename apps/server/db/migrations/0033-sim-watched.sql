-- serves from 0030
-- runs outside a transaction
drop index concurrently if exists sim_watched;

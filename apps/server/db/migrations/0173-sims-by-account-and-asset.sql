-- serves from 0030
-- runs outside a transaction
-- sim_of_asset takes its place.
drop index concurrently if exists sim_asset;

-- serves from 0030
-- runs outside a transaction
-- asset_moving_seen_asset begins with the same columns.
drop index concurrently if exists asset_moving_seen;

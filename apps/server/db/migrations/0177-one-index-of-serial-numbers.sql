-- serves from 0030
-- runs outside a transaction
-- asset_in_order_of_serial begins with the same columns.
drop index concurrently if exists asset_serial;

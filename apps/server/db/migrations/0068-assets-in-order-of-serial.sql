-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists asset_in_order_of_serial on asset (account_id, lower(serial), id);

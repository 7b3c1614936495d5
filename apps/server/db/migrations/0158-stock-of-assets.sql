-- serves from 0030
-- runs outside a transaction
-- Whoever lets an asset go locks its stock, and an account may have a million of them.
create index concurrently if not exists inventory_asset on inventory (account_id, asset_id) where asset_id is not null;

-- serves from 0030
-- runs outside a transaction
-- By asset too: those never seen are most of some accounts, and each asset that is looked for among them would read them all.
create index concurrently if not exists asset_moving_seen_asset on asset_moving (account_id, seen_at, asset_id);

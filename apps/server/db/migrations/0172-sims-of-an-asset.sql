-- serves from 0030
-- runs outside a transaction
-- Without account_id: who looks for a SIM by account and id may use any index that has account_id, wherever that stands in it. While the planner believes the table
-- empty, as when it is first filled, they all cost it the same, it takes the newest, and each look-up reads the account. An asset's id is of one account anyway.
create index concurrently if not exists sim_of_asset on sim (asset_id);

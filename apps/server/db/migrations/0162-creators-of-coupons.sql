-- serves from 0030
-- Whose account made it: staff give nothing to their own. Null: made before this was kept.
alter table coupon add column creator_account_id text;

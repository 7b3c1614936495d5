-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists sim_group on sim (account_id, group_id, id) where group_id is not null;

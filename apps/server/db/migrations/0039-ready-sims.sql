-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists sim_on_test on sim (account_id, id) where state = 'ready' and test_bytes is not null;

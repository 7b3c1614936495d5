-- serves from 0030
-- runs outside a transaction
-- SIMs that may use some data for free before they are active: each batch of usage asks whether one of its SIMs is one.
create index concurrently if not exists sim_free_test on sim (account_id, id) where state = 'ready' and test_bytes is not null

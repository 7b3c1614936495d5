-- serves from 0030
-- runs outside a transaction
alter table sim validate constraint sim_network_group;

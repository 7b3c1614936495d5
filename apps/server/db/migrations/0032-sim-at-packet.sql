-- serves from 0030
-- runs outside a transaction
-- Every batch of packets asks which of its SIMs have a group, a pool or no service; few have.
create index concurrently if not exists sim_at_packet on sim (account_id, id) include (group_id, pool_id, status)
  where group_id is not null or pool_id is not null or status not in ('ready', 'active', 'standby');

-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists event_robot on event (account_id, actor_key, id) where actor_kind = 'robot'

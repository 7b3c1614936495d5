-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists event_staff on event (account_id, id) where actor_kind = 'staff'

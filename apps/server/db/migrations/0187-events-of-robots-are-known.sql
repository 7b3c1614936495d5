-- serves from 0030
-- runs outside a transaction
alter table event validate constraint event_actor_kind_check;

-- serves from 0030
-- Robots of the registry have a kind of their own. What they did before says "api_key": events are never changed.
alter table event drop constraint event_actor_kind_check,
  add constraint event_actor_kind_check check (actor_kind in ('member', 'api_key', 'robot', 'staff', 'system', 'device')) not valid;

-- serves from 0030
-- A feed of connection events also brings that a device left the network. The kinds stand in the contract alone from now on.
alter table connection_event drop constraint connection_event_kind_check;
do $$
declare
  part regclass;
begin
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'connection_event'::regclass loop
    execute format('alter table %s drop constraint if exists connection_event_kind_check', part);
  end loop;
end $$;

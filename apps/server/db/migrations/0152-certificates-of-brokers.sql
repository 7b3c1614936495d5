-- serves from 0030
-- The certificate that a broker made for itself: agents are given it, because nobody else vouches for it. Null: it has one of the settings.
alter table broker add column certificate text;

-- SHA-256 of the public key (SPKI) of a certificate by which an agent may sign in to a broker in place of its token.
alter table device add column certificate_hash bytea;

drop trigger device_cut on device;
create trigger device_cut after update of cut_at, username_hash, password_hash, certificate_hash on device for each row
  when (old.cut_at is distinct from new.cut_at or old.username_hash <> new.username_hash or old.password_hash is distinct from new.password_hash
    or old.certificate_hash is distinct from new.certificate_hash)
  execute function notify_device_cut();

-- A device was born at another broker: the one that held it ends its connection, unless that was born later.
create function notify_device_moved() returns trigger language plpgsql as $$
begin
  perform pg_notify('masthead_devices', 'moved ' || new.id || ' ' || new.last_ts || ' ' || new.held_by);
  return null;
end $$;
create trigger device_moved after update of held_by on device for each row
  when (old.online and old.held_by is distinct from new.held_by and new.held_by is not null and new.last_ts is not null)
  execute function notify_device_moved();

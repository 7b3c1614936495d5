-- serves from 0030
-- A gateway's packets that cannot be read are listed, too.
alter table refused_sender drop constraint refused_sender_kind_check,
  add constraint refused_sender_kind_check check (kind in ('unknown_address', 'wrong_secret', 'message_authenticator', 'malformed'));

-- Who sent RADIUS and was not believed, for staff: the latest 1,000 by address and kind. Meters write it now and then, never for each packet.
create table refused_sender (
  address inet not null,
  kind text not null check (kind in ('unknown_address', 'wrong_secret', 'message_authenticator')),
  packets bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (address, kind)
);
create index refused_sender_last on refused_sender (last_at desc, address, kind);

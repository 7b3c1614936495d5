-- serves from 0030
-- The update of its agent that a device was told of last.
create table agent_update (
  account_id text not null,
  device_id text not null,
  id text not null,
  version text not null,
  asked_by text not null,
  asked_at timestamptz not null,
  primary key (account_id, device_id),
  foreign key (account_id, device_id) references device on delete cascade
);

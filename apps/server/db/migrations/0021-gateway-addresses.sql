-- A gateway has one or more addresses: a redundant pair, or proxies in front of one, are one gateway. All meters stop for this one.

-- A RADIUS client, known by the address it sends from, with a secret of its own.
create table gateway_address (
  -- what its secret is sealed for
  id text primary key,
  gateway_id text not null references gateway on delete cascade,
  address inet not null unique,
  secret text not null,
  -- true: its Access-Requests may come without Message-Authenticator (CVE-2024-3596)
  legacy boolean not null default false,
  -- where it takes Disconnect-Requests (RFC 5176)
  coa_port integer not null default 3799 check (coa_port between 1 and 65535),
  created_at timestamptz not null default now(),
  secret_changed_at timestamptz,
  heard_at timestamptz,
  packets bigint not null default 0
);
create index gateway_address_gateway on gateway_address (gateway_id);

-- With the id of its gateway, which its secret is sealed for.
insert into gateway_address (id, gateway_id, address, secret, legacy, coa_port, created_at, secret_changed_at, heard_at, packets)
  select id, id, address, secret, legacy, coa_port, created_at, secret_changed_at, heard_at, packets from gateway;

-- Until now a session was known by its NAS name wherever its packets came from. Gateways that had sessions under one NAS name within 30 days
-- are one: `kept` is the oldest that is switched on.
create temporary table joined_gateway on commit drop as
  with recursive named as (
    select distinct nas, gateway_id from data_session where heard_at > now() - interval '30 days'
  ), met as (
    select distinct a.gateway_id as one, b.gateway_id as other from named a join named b on b.nas = a.nas and b.gateway_id <> a.gateway_id
  ), linked (one, other) as (
    select one, other from met union select l.one, m.other from linked l join met m on m.one = l.other
  )
  select distinct on (l.one) l.one as id, g.id as kept, g.disabled_at is null as is_on from linked l join gateway g on g.id = l.other
    order by l.one, g.disabled_at is not null, g.created_at, g.id;

update data_session s set gateway_id = j.kept from joined_gateway j where s.gateway_id = j.id and j.id <> j.kept;
update quarantine q set gateway_id = j.kept, last_packet = jsonb_set(q.last_packet, '{gateway_id}', to_jsonb(j.kept), false)
  from joined_gateway j where q.gateway_id = j.id and j.id <> j.kept;
-- One that is switched off stays alone with its address: packets from there are not heard again for it.
delete from joined_gateway j using gateway g where g.id = j.id and (g.disabled_at is null) <> j.is_on;
update gateway_address a set gateway_id = j.kept from joined_gateway j where a.gateway_id = j.id and j.id <> j.kept;
update gateway g set name = n.name from (
    select kept, left(string_agg(name, ' and ' order by created_at), 120) as name from (
      select j.kept, g.name, min(g.created_at) as created_at from joined_gateway j join gateway g on g.id = j.id group by j.kept, g.name
    ) each group by kept
  ) n where g.id = n.kept;
delete from gateway g using joined_gateway j where g.id = j.id and j.id <> j.kept;

-- Meters keep gateways and addresses in memory.
drop trigger gateway_changed on gateway;
alter table gateway
  drop column address,
  drop column secret,
  drop column legacy,
  drop column coa_port,
  drop column heard_at,
  drop column secret_changed_at,
  drop column packets;
create trigger gateway_changed after insert or delete or update of name, disabled_at on gateway
  for each statement execute function tell_meters();
create trigger gateway_address_changed after insert or delete or update of gateway_id, address, secret, legacy on gateway_address
  for each statement execute function tell_meters();

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
-- are one, `kept` the oldest: those that are switched on among themselves, and those that are switched off, so that no address that was
-- switched off is heard again, and two are not one for having met at a third that is no longer in use.
create temporary table named_gateway on commit drop as
  select distinct s.nas, s.gateway_id as id, g.disabled_at is null as is_on
    from data_session s join gateway g on g.id = s.gateway_id where s.heard_at > now() - interval '30 days';
create temporary table joined_gateway on commit drop as
  with recursive met as (
    select distinct a.id as one, b.id as other from named_gateway a join named_gateway b on b.nas = a.nas and b.id <> a.id and b.is_on = a.is_on
  ), linked (one, other) as (
    select one, other from met union select l.one, m.other from linked l join met m on m.one = l.other
  )
  select distinct on (l.one) l.one as id, g.id as kept from linked l join gateway g on g.id = l.other order by l.one, g.created_at, g.id;

-- What one that is switched off had under the name of one in use goes on there; it keeps the rest, and its address.
create temporary table name_in_use on commit drop as
  select distinct n.nas, coalesce(j.kept, n.id) as gateway_id from named_gateway n left join joined_gateway j on j.id = n.id where n.is_on;
update data_session s set gateway_id = u.gateway_id from name_in_use u, gateway g
  where u.nas = s.nas and g.id = s.gateway_id and g.disabled_at is not null;
update quarantine q set gateway_id = u.gateway_id, last_packet = jsonb_set(q.last_packet, '{gateway_id}', to_jsonb(u.gateway_id), false)
  from name_in_use u, gateway g where u.nas = q.nas and g.id = q.gateway_id and g.disabled_at is not null;

update data_session s set gateway_id = j.kept from joined_gateway j where s.gateway_id = j.id and j.id <> j.kept;
update quarantine q set gateway_id = j.kept, last_packet = jsonb_set(q.last_packet, '{gateway_id}', to_jsonb(j.kept), false)
  from joined_gateway j where q.gateway_id = j.id and j.id <> j.kept;
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

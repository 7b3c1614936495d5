-- serves from 0030
-- Files of advisories that staff loaded. One is compared with; others are still being read, or go.
create table advisory_load (
  id text primary key,
  file_name text not null,
  loaded_at timestamptz not null,
  loaded_by text not null,
  advisories integer not null default 0,
  refused integer not null default 0,
  current boolean not null default false
);
create unique index advisory_load_current on advisory_load (current) where current;

create table advisory (
  load_id text not null references advisory_load,
  id text not null,
  aliases text[] not null,
  summary text not null,
  severity text not null check (severity in ('critical', 'high', 'medium', 'low', 'unknown')),
  primary key (load_id, id)
);

-- Which versions of a package an advisory is about.
create table advisory_affected (
  load_id text not null,
  ecosystem text not null,
  name text not null,
  id text not null,
  n integer not null,
  -- [{ semver, events: [{ introduced | fixed | last_affected }] }]
  ranges jsonb not null,
  -- versions that are named one by one
  versions text[] not null,
  primary key (load_id, ecosystem, name, id, n),
  foreign key (load_id, id) references advisory on delete cascade
);
create index advisory_affected_advisory on advisory_affected (load_id, id);

-- Whoever says that an image is to run waits for a clean-up of the account's registry that is deleting; one that begins later waits for them, and
-- sees what they said.
create function hold_images() returns trigger language plpgsql as $$
begin
  perform 1 from registry_account where account_id = new.account_id for key share;
  return new;
end $$;
create trigger container_holds_images before insert or update of image on container for each row execute function hold_images();
create trigger fleet_version_holds_images before insert on fleet_version for each row execute function hold_images();

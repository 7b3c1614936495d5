-- Usage that arrived before this is in the roll-ups alone: its records were dropped, or never were. One row, from the first partition on.
create table usage_coverage (
  single boolean primary key default true check (single),
  records_since timestamptz not null
);
insert into usage_coverage (records_since)
  select (min(substr(c.relname, 14))::date)::timestamp at time zone 'UTC' from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'usage_record'::regclass having count(*) > 0;

-- To make a partition within its table locks the table against all who write; attached to it, a partition only waits for its like.
create or replace function ensure_usage_partitions(first date, last date) returns void language plpgsql as $$
declare
  day date;
  part text;
begin
  for day in select generate_series(first, last, interval '1 day')::date loop
    part := 'usage_record_' || to_char(day, 'YYYYMMDD');
    if to_regclass(part) is null then
      perform pg_advisory_xact_lock(hashtext('masthead.usage_partitions'));
      execute format('create table if not exists %I (like usage_record including defaults)', part);
      if not exists (select from pg_inherits where inhrelid = to_regclass(part)) then
        execute format('alter table usage_record attach partition %I for values from (%L) to (%L)',
          part, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      end if;
    end if;
  end loop;
  insert into usage_coverage (records_since) values (first::timestamp at time zone 'UTC') on conflict do nothing;
end $$;
-- Partitions are detached concurrently, which no function may do: see record-keeping.ts.
drop function drop_usage_partitions(date);

-- What it took to hold a data limit, one row for each time it was reached.
create table enforcement (
  account_id text not null,
  id text not null,
  sim_id text not null,
  asset_id text not null,
  -- the month that the limit is of
  period_start date not null,
  limit_bytes bigint not null,
  -- arrival of the report that reached it
  reached_at timestamptz not null,
  -- when the SIM's last session was gone; null: not yet
  cut_at timestamptz,
  -- used beyond the limit
  overshoot_bytes bigint not null,
  -- when the block was lifted: nothing changes any more
  lifted_at timestamptz,
  primary key (account_id, id)
);
create index enforcement_sim on enforcement (account_id, sim_id, reached_at desc);
create index enforcement_open on enforcement (account_id, sim_id) where lifted_at is null;
create index enforcement_reached on enforcement (reached_at);

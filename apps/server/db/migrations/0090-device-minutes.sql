-- serves from 0030
-- What devices measured: the first of each minute, and means and peaks of each hour. Whole partitions go when their time is over; no keys to
-- other tables, so that a batch of a thousand devices is two statements. What was kept in device_vitals is brought over.
create table device_minute (
  account_id text not null,
  device_id text not null,
  minute timestamptz not null,
  cpu_pct real,
  memory_pct real,
  disk_pct real,
  temperature_c real,
  primary key (account_id, device_id, minute)
) partition by range (minute);

create table device_hour (
  account_id text not null,
  device_id text not null,
  hour timestamptz not null,
  samples integer not null,
  cpu_pct real,
  cpu_max_pct real,
  memory_pct real,
  disk_pct real,
  temperature_c real,
  temperature_max_c real,
  primary key (account_id, device_id, hour)
) partition by range (hour);

-- As with connection events: attached, a partition waits only for its like. Minutes by the day, hours by the month.
create function ensure_device_partitions(first date, last date) returns void language plpgsql as $$
declare
  whole text;
  part text;
  opens date;
  closes date;
begin
  for whole, part, opens, closes in
    select 'device_minute', 'device_minute_' || to_char(day, 'YYYYMMDD'), day::date, day::date + 1
      from generate_series(first, last, interval '1 day') as d(day)
    union all
    select 'device_hour', 'device_hour_' || to_char(month, 'YYYYMM'), month::date, (month + interval '1 month')::date
      from generate_series(date_trunc('month', first::timestamp - interval '3 months'), last::timestamp, interval '1 month') as m(month)
  loop
    if to_regclass(part) is null then
      perform pg_advisory_xact_lock(hashtext('masthead.device_partitions'));
      execute format('create table if not exists %I (like %I including defaults including constraints)', part, whole);
      if not exists (select from pg_inherits where inhrelid = to_regclass(part)) then
        execute format('alter table %I attach partition %I for values from (%L) to (%L)',
          whole, part, opens::timestamp at time zone 'UTC', closes::timestamp at time zone 'UTC');
      end if;
    end if;
  end loop;
end $$;
select ensure_device_partitions((now() at time zone 'UTC')::date - 8, (now() at time zone 'UTC')::date + 3);

create function time_or_null(said text) returns timestamptz language plpgsql stable as $$
begin
  return said::timestamptz;
exception when others then
  return null;
end $$;

create function measured(said jsonb, least_ real, most real) returns real language sql immutable as $$
  select case jsonb_typeof(said) when 'number' then least(greatest((said)::numeric, least_::numeric), most::numeric)::real end
$$;

create function measured_share(used jsonb, total jsonb) returns real language sql immutable as $$
  select case when jsonb_typeof(used) = 'number' and jsonb_typeof(total) = 'number' and (total)::numeric > 0
    then least(greatest(100 * (used)::numeric / (total)::numeric, 0), 100)::real end
$$;

-- Keeps what a batch of devices measured. What is of no time, or of one that is not kept, is left out; nothing that a device says fails the batch.
create function keep_device_minutes(accounts text[], devices text[], said jsonb[], now timestamptz) returns void language plpgsql as $$
begin
  with given as (
    select g.account_id, g.device_id, date_trunc('minute', time_or_null(g.v ->> 'at')) as minute, measured(g.v -> 'cpu_pct', 0, 100) as cpu_pct,
      measured_share(g.v -> 'memory_used_bytes', g.v -> 'memory_total_bytes') as memory_pct,
      measured_share(g.v -> 'disk_used_bytes', g.v -> 'disk_total_bytes') as disk_pct,
      measured(g.v -> 'temperature_c', -273, 1000) as temperature_c
    from unnest(accounts, devices, said) as g (account_id, device_id, v)
  ), kept as (
    insert into device_minute select * from given where minute > now - interval '7 days' and minute <= now + interval '10 minutes'
    on conflict do nothing returning *
  )
  insert into device_hour as h
    select account_id, device_id, date_trunc('hour', minute, 'UTC'), 1, cpu_pct, cpu_pct, memory_pct, disk_pct, temperature_c, temperature_c from kept
  on conflict (account_id, device_id, hour) do update set
    samples = h.samples + 1,
    cpu_pct = coalesce(h.cpu_pct + (excluded.cpu_pct - h.cpu_pct) / (h.samples + 1), h.cpu_pct, excluded.cpu_pct),
    cpu_max_pct = greatest(h.cpu_max_pct, excluded.cpu_max_pct),
    memory_pct = coalesce(h.memory_pct + (excluded.memory_pct - h.memory_pct) / (h.samples + 1), h.memory_pct, excluded.memory_pct),
    disk_pct = coalesce(h.disk_pct + (excluded.disk_pct - h.disk_pct) / (h.samples + 1), h.disk_pct, excluded.disk_pct),
    temperature_c = coalesce(h.temperature_c + (excluded.temperature_c - h.temperature_c) / (h.samples + 1), h.temperature_c, excluded.temperature_c),
    temperature_max_c = greatest(h.temperature_max_c, excluded.temperature_max_c);
exception when check_violation then
  -- There is no partition for it, because the job that makes them has not run: reports go on without it.
  raise warning 'what devices measured is not kept: %', sqlerrm;
end $$;

drop trigger device_vitals_kept on device;
do $$
declare
  batch record;
begin
  for batch in select minute, array_agg(account_id) as accounts, array_agg(device_id) as devices, array_agg(vitals) as said
    from device_vitals where minute > now() - interval '7 days' group by minute order by minute
  loop
    perform keep_device_minutes(batch.accounts, batch.devices, batch.said, now());
  end loop;
end $$;

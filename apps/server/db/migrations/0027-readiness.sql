-- Who does jobs now. A job belongs to whoever began it; of one that is no longer heard of others take it back.
create table job_runner (
  id text primary key,
  seen_at timestamptz not null
) with (fillfactor = 50);

-- What /readyz writes: one row, written again and again.
create table readiness (
  name text primary key,
  written_at timestamptz not null
) with (fillfactor = 50);

-- Fails where the database takes no writes, and where its disk has no room: a row that is written again needs none, so something is also sorted on
-- the disk.
create function prove_writable() returns void language plpgsql set work_mem = '64kB' set lock_timeout = '1s' as $$
begin
  insert into readiness values ('api', clock_timestamp()) on conflict (name) do update set written_at = excluded.written_at;
  perform count(*) from (select n from generate_series(1, 10000) n order by hashint4(n)) as sorted;
end $$;

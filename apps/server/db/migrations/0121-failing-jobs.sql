-- serves from 0030
-- Jobs of the clock whose last tries failed, one after the other: the clock puts a new one in place of one that failed, so the queue does not know.
create table job_failure (
  task text primary key,
  failures int not null,
  since timestamptz not null,
  last_at timestamptz not null,
  words text not null
);

-- serves from 0030
-- A raise allows more, and never less than the limit: one that is set higher later counts.
create or replace function limit_allows(bytes bigint, raised_bytes bigint, raised_period date, period text, today date) returns bigint language sql immutable
  return case when raised_period = limit_start(period, today) then greatest(bytes, raised_bytes) else bytes end;

-- serves from 0030
-- A data pool that gives nothing more is held like a limit: one row for each of its SIMs that had a session open then. `period` is then its term, `limit_bytes` what the pool allowed in it, and
-- `base_bytes` what the SIM had used in all when that was allowed. The decision itself is in the term's row.
alter table enforcement
  add column pool_id text,
  add column pool_name text,
  add column base_bytes bigint,
  drop constraint enforcement_period_check,
  add constraint enforcement_period_check check (period in ('day', 'month', 'term') and (period = 'term') = (pool_id is not null)) not valid;

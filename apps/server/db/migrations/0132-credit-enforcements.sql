-- serves from 0030
-- That no credits are left is held like a limit as well: `period` is then `credits`, `limit_bytes` 0, and `base_bytes` what the SIM had used in all when that was decided.
alter table enforcement
  drop constraint enforcement_period_check,
  add constraint enforcement_period_check check (period in ('day', 'month', 'term', 'credits') and (period = 'term') = (pool_id is not null)) not valid;

-- serves from 0030
-- Of a term whose SIMs each bring their own: what was paid for what they brought, and the size of the term when that was last looked at.
alter table data_pool_term
  add column paid_micros bigint not null default 0,
  add column paid_size_bytes bigint not null default 0;

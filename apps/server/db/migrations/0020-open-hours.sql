-- What SIMs use in hours that are not over. What is recorded is added here alone; once its hour is over a row goes into the hour, the day and
-- the month (closeHours), so that a report touches one small table in place of three large ones. Readers add the two.
create table usage_open_hour (
  account_id text not null,
  sim_id text not null,
  hour timestamptz not null,
  mccmnc text not null,
  rat text not null,
  bytes_up bigint not null,
  bytes_down bigint not null,
  primary key (account_id, sim_id, hour, mccmnc, rat)
) with (fillfactor = 60);
-- What is to be closed next, and an account's part of a period. Small: its keys repeat.
create index usage_open_hour_time on usage_open_hour (hour, account_id);
-- Hours are written once now, but for reports that come late.
alter table usage_hour set (fillfactor = 100);

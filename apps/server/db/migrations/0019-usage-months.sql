-- What SIMs used in a month, so that a month or a year does not read every day of every SIM.
create table usage_month (
  account_id text not null,
  sim_id text not null,
  -- its first day
  month date not null,
  mccmnc text not null,
  rat text not null,
  bytes_up bigint not null,
  bytes_down bigint not null,
  primary key (account_id, month, sim_id, mccmnc, rat)
) with (fillfactor = 80);
insert into usage_month
select account_id, sim_id, date_trunc('month', day::timestamp)::date as month, mccmnc, rat, sum(bytes_up), sum(bytes_down)
from usage_day group by 1, 2, 3, 4, 5 order by 1, 3, 2, 4, 5;
create index usage_month_sim on usage_month (account_id, sim_id, month);

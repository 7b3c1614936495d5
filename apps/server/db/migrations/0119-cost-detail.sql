-- serves from 0030
-- What is charged is a report of its own.
alter table report drop constraint report_kind_check;
alter table report add constraint report_kind_check
  check (kind in ('usage', 'records', 'costs', 'inventory', 'sessions', 'activities', 'silent'));

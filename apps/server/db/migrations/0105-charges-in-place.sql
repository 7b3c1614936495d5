-- serves from 0030
-- Rows that each report of a SIM writes again stay on their page, so that no index is written with them.
alter table charge_scope set (fillfactor = 50);
alter table charge set (fillfactor = 60);

-- serves from 0030
-- Until then a rule notifies nobody and changes no SIM.
alter table alert_rule add column silenced_until timestamptz;

-- serves from 0030
-- The generation of which it was recorded that the device undid it: it says so in each report.
alter table device_network add column undone_generation integer;

-- serves from 0030
-- Up to which hour its usage was put into the log of a webhook that sends usage. Null: it begins with the hour that runs.
alter table webhook add column usage_until timestamptz;

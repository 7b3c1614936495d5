-- serves from 0030
-- What a change of many assets did to one of them is in the history of that asset. The list of all has the one event of the whole change, whose id this is.
alter table event add column bulk_id text;

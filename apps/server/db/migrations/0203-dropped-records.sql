-- serves from 0030
-- The last transaction of the usage records that were dropped: whoever reads on from a place before it misses some. Null: not known yet, or none was.
alter table usage_coverage add column dropped_xid xid8;

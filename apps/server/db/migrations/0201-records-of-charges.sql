-- serves from 0030
-- Of how many records of usage it is: to count these takes as long as to read all of their days. Null where a charge was begun by a release that does not count them.
alter table charge add column records integer;

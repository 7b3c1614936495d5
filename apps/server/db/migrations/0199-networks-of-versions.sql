-- serves from 0030
-- What a version of a fleet says of the network of its devices; null: nothing, as one of before. The password of the APN is among its sealed secrets.
alter table fleet_version add column network jsonb;

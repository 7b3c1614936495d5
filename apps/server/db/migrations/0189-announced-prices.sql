-- serves from 0030
-- The planned version of its price list that an account was notified of.
alter table account_tariff add column announced integer;

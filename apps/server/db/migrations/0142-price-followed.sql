-- serves from 0030
-- `price_followed`: of which `price_since` the account was notified of the SIMs that used expensive data that day already.
alter table balance_rule add column price_followed timestamptz;
update balance_rule set price_followed = price_since where price_since is not null;

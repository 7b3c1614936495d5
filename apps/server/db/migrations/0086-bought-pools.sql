-- serves from 0030
-- A pool that the account bought pays for each of its terms; one that staff opened does not. `paid_by` is the transaction of the ledger.
alter table data_pool add column bought boolean not null default false;
alter table data_pool_term add column paid_by text;
create index data_pool_bought on data_pool (account_id, id) where bought and ended_at is null;

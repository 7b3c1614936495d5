-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists enforcement_account on enforcement (account_id, id desc);

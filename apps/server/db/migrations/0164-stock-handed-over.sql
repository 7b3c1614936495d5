-- serves from 0030
-- runs outside a transaction
-- The stock that waits for whom it was handed over to: some pieces among millions that are free.
create index concurrently if not exists inventory_handed_over on inventory (lower(serial)) where account_id is null and reserved_for is not null;

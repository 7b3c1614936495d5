-- serves from 0030
-- How many differences there were, of which some are kept. Null: a program from before compared, and kept what there was of them up to a hundred.
alter table ledger_proof add column found bigint;

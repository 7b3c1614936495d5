-- serves from 0030
-- What stock keeps of the SIM it was: one that was used has no free test again, one that was terminated is not to be registered.
alter table inventory add column is_used boolean not null default false, add column is_terminated boolean not null default false;

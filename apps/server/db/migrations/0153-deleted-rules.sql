-- serves from 0030
-- A rule that is deleted stays, seen by nobody, until what it did for a while is taken back. The release before takes it for one that is switched off.
alter table alert_rule add column deleted_at timestamptz;
create index alert_rule_deleted on alert_rule (deleted_at) where deleted_at is not null;

-- serves from 0030
alter table quarantine drop constraint quarantine_key, add constraint quarantine_key unique using index quarantine_use;

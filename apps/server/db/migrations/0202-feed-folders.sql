-- serves from 0030
-- What of the folder of a feed could not be read when it was last looked at, and since when.
alter table feed add column folder_failure text, add column folder_failed_at timestamptz;

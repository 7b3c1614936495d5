-- serves from 0030
-- A provider's token is locked with a key from outside the database. In `id_token` stands what the release before wrote, until the session ends.
alter table session_identity add column sealed_id_token text;

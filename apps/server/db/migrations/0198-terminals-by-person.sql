-- serves from 0030
-- runs outside a transaction
-- Terminals that one person opened, the newest first.
create index concurrently if not exists terminal_session_person on terminal_session (account_id, opened_by, id);

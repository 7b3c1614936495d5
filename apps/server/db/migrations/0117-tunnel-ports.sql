-- serves from 0030
-- The port of ours that a tunnel has for as long as it lasts, also while its device is away; and the session that it was opened in, with which it ends.
alter table tunnel add column own_port integer, add column session_id text;

-- serves from 0030
-- Gateways use ids again. Which use of its id a row is of: of what was left out of a session that one, else '' for the first, then 1, 2 and so on.
alter table quarantine add column use text not null default '';
update quarantine set use = session_id where kind = 'uncounted' and session_id is not null;

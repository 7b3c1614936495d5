-- Which API key a webhook was made or turned elsewhere with: it hears no more than that key may see, and ends with it.
alter table webhook add column created_key text;

-- The session that a stay in the backoffice was opened in: its token is worth nothing in another, and nothing once the session is over.
alter table backoffice_stay add column session_id text references session (id) on delete set null;
create index backoffice_stay_session on backoffice_stay (session_id);
create index staff_log_refused on staff_log (action, person_id, at) where result = 'refused';

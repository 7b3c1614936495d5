-- serves from 0030
-- Addresses of others who had a window on a terminal, and of those of them who had the keyboard. Those of before stand in the activities alone.
alter table terminal_session add column watched_by text[] not null default '{}', add column typed_by text[] not null default '{}';

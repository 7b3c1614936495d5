-- serves from 0030
-- Who gave the access code of the device for a session that another person opened.
alter table terminal_session add column code_given_by text[] not null default '{}';
-- Our port of a tunnel speaks TLS, with the certificate of this server.
alter table tunnel add column encrypted boolean not null default false;

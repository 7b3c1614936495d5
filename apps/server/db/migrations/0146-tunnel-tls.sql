-- serves from 0030
-- The port that a tunnel leads to speaks TLS: a web page at the name of the tunnel is asked for by HTTPS.
alter table tunnel add column tls boolean not null default false;

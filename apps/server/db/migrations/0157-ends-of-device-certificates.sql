-- serves from 0030
-- When the certificate by which an agent may sign in ends, as it was given to the server; null: none, or one that was given before this was kept.
alter table device add column certificate_ends_at timestamptz;

-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists fleet_version_repositories on fleet_version using gin (repositories_in(containers));

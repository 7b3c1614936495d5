-- serves from 0030
-- runs outside a transaction
-- The bytes of all manifests of an account, which are asked for at each push, without their content.
create index concurrently if not exists registry_manifest_bytes on registry_manifest (account_id, repository_id) include (bytes)

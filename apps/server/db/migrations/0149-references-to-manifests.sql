-- serves from 0030
-- runs outside a transaction
-- Which indexes name an image, of references that are mostly to blobs: asked of every image of a repository where those without a tag are counted.
create index concurrently if not exists registry_reference_manifest on registry_reference (account_id, repository_id, target) where kind = 'manifest'

-- serves from 0030
-- The repository that a container names, whatever the host of the registry is called: for where an image is deployed.
create index container_repository on container (
  account_id, (split_part(split_part(substr(image, strpos(image, '/') + 1), '@', 1), ':', 1))
);

-- serves from 0030
-- Tags of a repository, the newest first: the order in which they are listed unless another is asked for.
create index registry_tag_pushed on registry_tag (account_id, repository_id, pushed_at, name);

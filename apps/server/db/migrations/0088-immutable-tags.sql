-- serves from 0030
-- Patterns of tags that can be neither moved nor deleted: v*, app/api:release-*.
alter table registry_account add column immutable text[] not null default '{}';

-- serves from 0030
-- The tags that whoever had the token made was limited to then, none: not limited. Of assets that the account has already it takes those of these tags only.
alter table core_deployment_token add column limited_to text[] not null default '{}';

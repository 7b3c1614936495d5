import { sql } from 'kysely'

/** The names of the tags in a table's column `tags`, in their order; one that was deleted is none of them. */
export const tagNamesOf = (table: 'membership' | 'invitation') =>
  sql<string[]>`array(select tag.name from tag where tag.account_id = ${sql.ref(`${table}.account_id`)}
    and tag.id = any (${sql.ref(`${table}.tags`)}) order by lower(tag.name))`

/** The tags in a table's column `tags` by their names, with those that were deleted: their name is null. */
export const tagsOf = (table: 'api_key' | 'webhook' | 'core_deployment') =>
  sql<
    { id: string; name: string | null }[]
  >`coalesce((select json_agg(json_build_object('id', given.id, 'name', tag.name) order by lower(tag.name))
    from unnest(${sql.ref(`${table}.tags`)}) given (id)
    left join tag on tag.account_id = ${sql.ref(`${table}.account_id`)} and tag.id = given.id), '[]')`

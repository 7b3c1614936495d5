import { sql } from 'kysely'
import { parseAssetQuery, type AssetQuery, type QueryCondition } from '@masthead/contract/assets/query/query'
import type { Db } from '../../kernel/app.ts'
import type { Measured } from './measures.ts'

/** What a line names that can be renamed or deleted after it was written. */
const named = {
  tag: { table: 'tag', word: 'tag' },
  group: { table: 'network_group', word: 'network group' },
  pool: { table: 'data_pool', word: 'data pool' },
} as const
const isNaming = (field: string): field is keyof typeof named => field in named

function conditionsOf(query: AssetQuery): QueryCondition[] {
  if ('all' in query) return query.all.flatMap(conditionsOf)
  if ('any' in query) return query.any.flatMap(conditionsOf)
  if ('not' in query) return conditionsOf(query.not)
  return 'field' in query ? [query] : []
}

/** The first name in the line of a rule (or of the view that it watches) that nothing has: without words it would find nothing for ever. */
export async function unknownName(db: Db, account_id: string, rule: Pick<Measured, 'scope' | 'view_id'>): Promise<string | null> {
  const { query } = parseAssetQuery(rule.view_id === null ? rule.scope : await lineOf(db, account_id, rule.view_id))
  for (const { field, values } of query ? conditionsOf(query) : []) {
    if (!isNaming(field)) continue
    const words = values.flatMap((value) => ('is' in value ? [value.is] : []))
    const { rows } = await sql<{ word: string }>`select word from unnest(${words}::text[]) word where not exists (
      select from ${sql.table(named[field].table)} n where n.account_id = ${account_id} and (n.id = word or lower(n.name) = lower(trim(word))))
      limit 1`.execute(db)
    if (rows[0]) return `There is no ${named[field].word} “${rows[0].word}”. It was renamed or deleted, or is not there yet`
  }
  return null
}

async function lineOf(db: Db, account_id: string, view_id: string): Promise<string> {
  const view = await db
    .selectFrom('asset_view')
    .select('q')
    .where('account_id', '=', account_id)
    .where('id', '=', view_id)
    .executeTakeFirst()
  return view?.q ?? ''
}

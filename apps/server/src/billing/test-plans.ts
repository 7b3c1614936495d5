import { CompiledQuery, createQueryId, type Kysely, type RootOperationNode } from 'kysely'
import type { Database } from '../kernel/database/database.ts'

type Asked = Pick<Kysely<Database>, 'withPlugin' | 'getExecutor' | 'executeQuery'>

/** How the database finds what `work` asks for, in the order in which it asks: the query and its plan, as `explain` says it. */
export async function plansOf(db: Asked, work: (db: Kysely<Database>) => Promise<unknown>): Promise<{ query: string; plan: string }[]> {
  const asked: RootOperationNode[] = []
  const watched = db.withPlugin({
    transformQuery: ({ node }) => {
      asked.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await work(watched)
  const plans: { query: string; plan: string }[] = []
  for (const node of asked) {
    const { sql: query, parameters } = db.getExecutor().compileQuery(node, createQueryId())
    const { rows } = await db.executeQuery<Record<string, string>>(CompiledQuery.raw(`explain ${query}`, [...parameters]))
    plans.push({ query, plan: rows.flatMap((row) => Object.values(row)).join('\n') })
  }
  return plans
}

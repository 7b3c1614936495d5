import type { Db } from '../../kernel/app.ts'
import type { Within } from './repository.ts'

const mostOfIndex = 50

/** What indexes among some images name, at most fifty each; nothing for what is no index. */
export async function childrenOf(
  db: Db,
  { account_id, repository_id }: Within,
  images: readonly string[]
): Promise<(image: string) => string[]> {
  if (images.length === 0) return () => []
  const named = await db
    .selectFrom('registry_reference')
    .select(['digest', 'target'])
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('kind', '=', 'manifest')
    .where('digest', 'in', [...images])
    .orderBy('target')
    .execute()
  const byIndex = Map.groupBy(named, ({ digest }) => digest)
  return (image) => (byIndex.get(image) ?? []).slice(0, mostOfIndex).map(({ target }) => target)
}

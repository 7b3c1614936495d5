import type { Db } from '../../kernel/app.ts'

/** A manifest of an account in the first repository that has it, which is the one that the scanner pulls from. `name`: with the slug. */
export async function findScanned(db: Db, account_id: string, digest: string) {
  const found = await db
    .selectFrom('registry_manifest as m')
    .innerJoin('registry_repository as r', (join) => join.onRef('r.account_id', '=', 'm.account_id').onRef('r.id', '=', 'm.repository_id'))
    .innerJoin('registry_account as a', 'a.account_id', 'm.account_id')
    .select(['m.repository_id', 'm.media_type', 'r.name', 'a.slug'])
    .where('m.account_id', '=', account_id)
    .where('m.digest', '=', digest)
    .orderBy('r.name')
    .limit(1)
    .executeTakeFirst()
  return found ? { repository_id: found.repository_id, media_type: found.media_type, name: `${found.slug}/${found.name}` } : null
}

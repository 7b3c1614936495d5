import { longestSlug } from '@masthead/contract/registry/image'
import type { Db, Tx } from '../../kernel/app.ts'

/** The slug that a name suggests: `Acme Telemetry GmbH` → `acme-telemetry-gmbh`. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug - 5)
    .replaceAll(/^-+|-+$/g, '')
  return plain.length < 2 ? 'team' : plain
}

/** The first free one of `acme`, `acme-2`, … */
export async function suggestSlug(db: Db, account_id: string): Promise<string> {
  const { team_name } = await db.selectFrom('account').select('team_name').where('id', '=', account_id).executeTakeFirstOrThrow()
  const wanted = slugOf(team_name)
  const taken = await db
    .selectFrom('registry_account')
    .select('slug')
    .where((is) => is.or([is('slug', '=', wanted), is('slug', 'like', `${wanted}-%`)]))
    .execute()
  const slugs = new Set(taken.map(({ slug }) => slug))
  for (let n = 1; ; n++) {
    const slug = n === 1 ? wanted : `${wanted}-${n}`
    if (!slugs.has(slug)) return slug
  }
}

/** The account's slug; the suggested one from now on, where it has none. */
export async function needSlug(tx: Tx, account_id: string, at: Date): Promise<string> {
  for (;;) {
    const found = await tx.selectFrom('registry_account').select('slug').where('account_id', '=', account_id).executeTakeFirst()
    if (found) return found.slug
    const slug = await suggestSlug(tx, account_id)
    // Another account may take it at this moment: then the next one is tried.
    await tx
      .insertInto('registry_account')
      .values({ account_id, slug, created_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

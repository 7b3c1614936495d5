import { sql } from 'kysely'
import type { SignatureSummary } from '@masthead/contract/registry/signature'
import { severities, type SeverityCounts } from '@masthead/contract/registry/vulnerability'
import type { App } from '../../kernel/app.ts'
import { lockRegistry } from '../content/quota.ts'
import type { Within } from '../content/repository.ts'
import { summariesOf } from './signatures.ts'
import { vulnerabilityCounts } from './vulnerabilities.ts'

/** Images with long lists of parts are compared with a great many advisories. */
const atOnce = 25
const mostOfEach = 999

/** The worse, the more: how many vulnerabilities are known, of the worst kind first, then whether the image is verified, not signed, or not verified. */
function rankOf(counts: SeverityCounts | undefined, signature: SignatureSummary | undefined): number {
  const known = counts ? 1 + severities.reduce((sum, severity) => sum * (mostOfEach + 1) + Math.min(counts[severity], mostOfEach), 0) : 0
  return known * 3 + (signature ? (signature.verified ? 0 : 2) : 1)
}

/**
 * Keeps with each image that something was changed of what the order of tags by their security goes by, as lists, keys and advisories are by now. What is changed
 * meanwhile has a row of its own, which stays.
 */
export async function rankImages(app: Pick<App, 'db'>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: number; digest: string } & Within>`select id, account_id, repository_id, digest from registry_to_rank
      order by id limit ${atOnce}`.execute(app.db)
    for (const of of Map.groupBy(rows, ({ account_id, repository_id }) => `${account_id} ${repository_id}`).values())
      await keepRanks(
        app,
        of[0]!,
        of.map(({ digest }) => digest)
      )
    const ids = rows.map(({ id }) => id)
    await app.db.transaction().execute((tx) => sql`delete from registry_to_rank where id = any(${ids}::bigint[])`.execute(tx))
    if (rows.length < atOnce) return
  }
}

async function keepRanks({ db }: Pick<App, 'db'>, within: Within, changed: readonly string[]): Promise<void> {
  const { account_id, repository_id } = within
  // An index counts with the images that it names.
  const { rows } = await sql<{ digest: string }>`select m.digest from registry_manifest m
    where m.account_id = ${account_id} and m.repository_id = ${repository_id} and m.digest in (
      select unnest(${[...changed]}::text[]) union select r.digest from registry_reference r
        where r.account_id = ${account_id} and r.repository_id = ${repository_id} and r.kind = 'manifest' and r.target = any(${[...changed]}::text[]))
    order by m.digest`.execute(db)
  const images = rows.map(({ digest }) => digest)
  const signatures = await summariesOf(db, within, images)
  const counts = await vulnerabilityCounts(db, within, images)
  const ranks = images.map((image) => rankOf(counts.get(image), signatures.get(image)))
  await db.transaction().execute(async (tx) => {
    await lockRegistry(tx, account_id)
    await sql`update registry_manifest m set security = r.security from unnest(${images}::text[], ${ranks}::bigint[]) as r (digest, security)
      where m.account_id = ${account_id} and m.repository_id = ${repository_id} and m.digest = r.digest and m.security <> r.security`.execute(
      tx
    )
  })
}

import { sql } from 'kysely'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { App, Db } from '../../kernel/app.ts'
import { raiseAlert, resolveAlert } from '../../notifications/index.ts'

const cause = 'registry:damaged'
const mostNamed = 3

type Damage = { blobs: number; bytes: number; last_at: Date | null; repositories: string[] }

/** Notifies staff of images whose bytes are known to be damaged, whoever found that, and ends it once all of them were replaced, restored or deleted. */
export async function watchDamage({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const at = clock.now()
  const damage = await findDamage(db)
  const { last_at } = damage
  if (last_at === null) return endAlerts(db, at)
  const { rows: staff } = await sql<{
    account_id: string
  }>`select account_id from person where permissions @> '{backoffice}' order by 1`.execute(db)
  for (const { account_id } of staff)
    await db.transaction().execute((tx) =>
      raiseAlert(
        tx,
        // Notified again where more is found to be damaged.
        { account_id, raised_by: `${cause} ${last_at.toISOString()}`, at },
        {
          cause,
          severity: 'critical',
          source: 'policy',
          title: 'Images of the registry are damaged',
          words: wordsOf(damage),
          lasting: true,
          audience: 'owner',
          link: '/masa',
        }
      )
    )
}

/** Of what some repository has; the rest goes with clean-up. */
async function findDamage(db: Db): Promise<Damage> {
  const { rows } = await sql<Damage>`with damaged as materialized (select digest, bytes, damaged_at from registry_blob b
      where damaged_at is not null and exists (select from registry_held h where h.digest = b.digest))
    select count(*)::int as blobs, coalesce(sum(bytes), 0)::bigint as bytes, max(damaged_at) as last_at,
      array(select distinct a.slug || '/' || r.name from damaged d
        join registry_held h on h.digest = d.digest
        join registry_repository r on r.account_id = h.account_id and r.id = h.repository_id
        join registry_account a on a.account_id = h.account_id
        order by 1 limit ${mostNamed + 1}) as repositories
    from damaged`.execute(db)
  return rows[0]!
}

function wordsOf({ blobs, bytes, repositories }: Damage): string {
  const what = `${blobs === 1 ? 'A blob' : `${blobs.toLocaleString('en')} blobs`} with ${formatBytes(bytes)}`
  const where = `${repositories.slice(0, mostNamed).join(', ')}${repositories.length > mostNamed ? ' and others' : ''}`
  return `${what} of ${where} ${blobs === 1 ? 'is' : 'are'} not what the digest says, and given to nobody. Look at the disk. Whoever pushes the image again replaces them; or restore them from a copy, and run the command “registry check”.`
}

async function endAlerts(db: App['db'], at: Date): Promise<void> {
  const standing = await db.selectFrom('alert').select('account_id').where('cause', '=', cause).where('resolved_at', 'is', null).execute()
  for (const { account_id } of standing)
    await db.transaction().execute((tx) => resolveAlert(tx, account_id, cause, at, 'None is damaged any more'))
}

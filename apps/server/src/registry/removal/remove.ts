import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/app.ts'
import type { Repository } from '../content/repository.ts'
import type { Removal } from './plan-removal.ts'

/** What was pushed so lately (ms) may be for what is pushed next. */
export const stillPushed = 3_600_000

/** Manifests that go, with the repository of each. */
type Going = { repository_id: string; digest: string }

const goingRows = (going: readonly Going[]) => sql`going as materialized (select * from unnest(
    ${going.map(({ repository_id }) => repository_id)}::text[], ${going.map(({ digest }) => digest)}::text[]) as g (repository_id, digest))`

/**
 * What some manifests name, no other manifest of the repository does, and nobody has just pushed for the next one. A manifest names a target once, so it is
 * counted who does: to look for another one among those that go, target by target, took minutes where 10,000 go.
 */
const links = (account_id: string, before: Date) => sql`select h.repository_id, h.digest, h.bytes
    from (select r.repository_id, r.target, count(*) as going from going join registry_reference r
        on r.account_id = ${account_id} and r.repository_id = going.repository_id and r.digest = going.digest group by 1, 2) named
      join registry_held h on h.account_id = ${account_id} and h.repository_id = named.repository_id and h.digest = named.target
    where h.held_at < ${before} and named.going = (select count(*) from registry_reference r
      where r.account_id = ${account_id} and r.repository_id = named.repository_id and r.target = named.target)`

/** How many bytes of the quota are free once some manifests are gone: their own bytes, and those that no repository of it has then. */
export async function freedBy(db: Db, account_id: string, going: readonly Going[], at: Date): Promise<number> {
  if (going.length === 0) return 0
  const before = new Date(at.getTime() - stillPushed)
  const { rows } = await sql<{ bytes: number }>`with ${goingRows(going)}, links as materialized (${links(account_id, before)})
    select ((select coalesce(sum(m.bytes), 0) from registry_manifest m join going on going.repository_id = m.repository_id and going.digest = m.digest
        where m.account_id = ${account_id})
      + (select coalesce(sum(bytes), 0) from (select l.digest, max(l.bytes) as bytes from links l group by l.digest
          having count(*) = (select count(*) from registry_held o where o.account_id = ${account_id} and o.digest = l.digest)) gone))::bigint as bytes`.execute(
    db
  )
  return rows[0]!.bytes
}

/** Deletes what was planned. The plan must be of this transaction, in which nobody else of the account pushes. */
export async function remove(tx: Tx, { account_id, repository_id }: Repository, { names, digests }: Removal, at: Date): Promise<void> {
  if (names.length > 0)
    await sql`delete from registry_tag where account_id = ${account_id} and repository_id = ${repository_id}
      and name = any(${names}::text[])`.execute(tx)
  if (digests.length === 0) return
  const going = digests.map((digest) => ({ repository_id, digest }))
  const before = new Date(at.getTime() - stillPushed)
  const { rows } = await sql<{
    digest: string
  }>`with ${goingRows(going)}, links as (${links(account_id, before)}) select digest from links`.execute(tx)
  await sql`delete from registry_manifest where account_id = ${account_id} and repository_id = ${repository_id}
    and digest = any(${digests}::text[])`.execute(tx)
  await sql`delete from registry_held where account_id = ${account_id} and repository_id = ${repository_id}
    and digest = any(${rows.map(({ digest }) => digest)}::text[])`.execute(tx)
}

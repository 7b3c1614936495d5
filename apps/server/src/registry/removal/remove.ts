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

/** What some manifests name, no other manifest of the repository does, and nobody has just pushed for the next one. */
const links = (account_id: string, before: Date) => sql`select h.repository_id, h.digest, h.bytes from registry_held h
    where h.account_id = ${account_id} and h.held_at < ${before}
    and exists (select from registry_reference r join going on going.repository_id = r.repository_id and going.digest = r.digest
      where r.account_id = h.account_id and r.repository_id = h.repository_id and r.target = h.digest)
    and not exists (select from registry_reference r where r.account_id = h.account_id and r.repository_id = h.repository_id
      and r.target = h.digest and not exists (select from going where going.repository_id = r.repository_id and going.digest = r.digest))`

/** How many bytes of the quota are free once some manifests are gone: their own bytes, and those that no repository of it has then. */
export async function freedBy(db: Db, account_id: string, going: readonly Going[], at: Date): Promise<number> {
  if (going.length === 0) return 0
  const before = new Date(at.getTime() - stillPushed)
  const { rows } = await sql<{ bytes: number }>`with ${goingRows(going)}, links as materialized (${links(account_id, before)})
    select ((select coalesce(sum(m.bytes), 0) from registry_manifest m join going on going.repository_id = m.repository_id and going.digest = m.digest
        where m.account_id = ${account_id})
      + (select coalesce(sum(bytes), 0) from (select distinct l.digest, l.bytes from links l where not exists (
          select from registry_held o where o.account_id = ${account_id} and o.digest = l.digest
          and not exists (select from links k where k.repository_id = o.repository_id and k.digest = o.digest))) gone))::bigint as bytes`.execute(
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

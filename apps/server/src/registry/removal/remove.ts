import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/app.ts'
import type { Repository } from '../content/repository.ts'
import type { Removal } from './plan-removal.ts'

/** What was pushed so lately (ms) may be for what is pushed next. */
export const stillPushed = 3_600_000

/** Manifests that go, with the repository of each. */
type Going = { repository_id: string; digest: string }

const goingRows = (steps: readonly (readonly Going[])[]) => sql`going as materialized (select * from unnest(
    ${steps.flatMap((going) => going.map(({ repository_id }) => repository_id))}::text[],
    ${steps.flatMap((going) => going.map(({ digest }) => digest))}::text[],
    ${steps.flatMap((going, step) => going.map(() => step))}::int[]) as g (repository_id, digest, step))`

/**
 * What some manifests name, no other manifest of the repository does, and nobody has just pushed for the next one; with the step in which the last of them goes.
 * A manifest names a target once, so it is counted who does: to look for another one among those that go, target by target, took minutes where 10,000 go.
 */
const links = (account_id: string, at: Date) => sql`links as materialized (select h.repository_id, h.digest, h.bytes, named.step
    from (select r.repository_id, r.target, count(*) as going, max(going.step) as step from going join registry_reference r
        on r.account_id = ${account_id} and r.repository_id = going.repository_id and r.digest = going.digest group by 1, 2) named
      join registry_held h on h.account_id = ${account_id} and h.repository_id = named.repository_id and h.digest = named.target
    where h.held_at < ${new Date(at.getTime() - stillPushed)} and named.going = (select count(*) from registry_reference r
      where r.account_id = ${account_id} and r.repository_id = named.repository_id and r.target = named.target))`

/**
 * How many bytes of the quota are free once some manifests are gone: their own bytes, and those that no repository of it has then. `steps`: what goes, and what
 * goes after that, and so on; the answer has what is free after each.
 */
export async function freedBy(db: Db, account_id: string, steps: readonly (readonly Going[])[], at: Date): Promise<number[]> {
  if (steps.every(({ length }) => length === 0)) return steps.map(() => 0)
  const { rows } = await sql<{ step: number; bytes: number }>`with ${goingRows(steps)}, ${links(account_id, at)}
    select step, sum(bytes)::bigint as bytes from (
      select g.step, m.bytes from going g
        join registry_manifest m on m.account_id = ${account_id} and m.repository_id = g.repository_id and m.digest = g.digest
      union all
      select max(l.step), max(l.bytes) from links l group by l.digest
        having count(*) = (select count(*) from registry_held o where o.account_id = ${account_id} and o.digest = l.digest)) freed
    group by step`.execute(db)
  let sum = 0
  return steps.map((_, step) => (sum += rows.find((row) => row.step === step)?.bytes ?? 0))
}

/** Deletes what was planned. The plan must be of this transaction, in which nobody else of the account pushes. */
export async function remove(tx: Tx, { account_id, repository_id }: Repository, { names, digests }: Removal, at: Date): Promise<void> {
  if (names.length > 0)
    await sql`delete from registry_tag where account_id = ${account_id} and repository_id = ${repository_id}
      and name = any(${names}::text[])`.execute(tx)
  if (digests.length === 0) return
  const going = digests.map((digest) => ({ repository_id, digest }))
  await sql`with ${goingRows([going])}, ${links(account_id, at)} delete from registry_held
    where account_id = ${account_id} and repository_id = ${repository_id} and digest in (select digest from links)`.execute(tx)
  await sql`delete from registry_manifest where account_id = ${account_id} and repository_id = ${repository_id}
    and digest = any(${digests}::text[])`.execute(tx)
}

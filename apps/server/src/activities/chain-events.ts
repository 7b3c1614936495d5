import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { App, Tx } from '../kernel/app.ts'

const mostAtOnce = 2000

/** What the first entry of every chain stands on. */
export const chainStart = Buffer.alloc(32)

/**
 * Everything an event says, in one form whatever the database's settings are; a column that is added later does not change what older
 * events say. For a query with `event` as `e`.
 */
export const eventDigest = sql<Buffer | null>`case when e.id is null then null else sha256(convert_to((
  jsonb_strip_nulls(to_jsonb(e) - 'at' - 'detail') || jsonb_build_object('at', (extract(epoch from e.at) * 1000000)::bigint, 'detail', e.detail)
)::text, 'UTF8')) end`

/** The hash of an entry: of the one before it and of its event. An event that is gone before it was added leaves its name. */
export const nextHash = (before: Buffer, event_id: string, digest: Buffer | null): Buffer =>
  createHash('sha256')
    .update(before)
    .update(digest ?? `gone ${event_id}`)
    .digest()

type Taken = { account_id: string; event_id: string; digest: Buffer | null }

/**
 * Adds the committed events that are in no chain yet to the chains, in the order of their transactions. Only what is committed can be seen, and what
 * commits later is taken the next time: no event is missed, and none waits for another's writer. True when there is more to do at once.
 */
export async function chainEvents({ db, clock }: App): Promise<boolean> {
  const sealed_at = clock.now()
  return db.transaction().execute(async (tx) => {
    const { rows: locks } = await sql<{
      locked: boolean
    }>`select pg_try_advisory_xact_lock(hashtext('masthead.seal_events')) as locked`.execute(tx)
    if (!locks[0]!.locked) return false
    const { rows } = await sql<Taken>`with taken as (
        delete from event_unsealed u using (select account_id, event_id from event_unsealed order by xid, event_id limit ${mostAtOnce}) next
        where u.account_id = next.account_id and u.event_id = next.event_id returning u.account_id, u.event_id, u.xid)
      select t.account_id, t.event_id, ${eventDigest} as digest from taken t
      left join event e on e.account_id = t.account_id and e.id = t.event_id order by t.xid, t.event_id`.execute(tx)
    if (rows.length === 0) return false
    for (const [account_id, events] of Map.groupBy(rows, (row) => row.account_id)) await extendChain(tx, account_id, events, sealed_at)
    return rows.length === mostAtOnce
  })
}

async function extendChain(tx: Tx, account_id: string, events: readonly Taken[], sealed_at: Date) {
  const head = await tx.selectFrom('event_chain').select(['number', 'hash']).where('account_id', '=', account_id).executeTakeFirst()
  const first = (head?.number ?? 0) + 1
  let hash: Buffer = head?.hash ?? chainStart
  const hashes = events.map(({ event_id, digest }) => (hash = nextHash(hash, event_id, digest)))
  await sql`insert into event_seal (account_id, number, event_id, hash)
    select ${account_id}, ${first}::bigint + place - 1, event_id, hash
    from unnest(${events.map(({ event_id }) => event_id)}::text[], ${hashes}::bytea[]) with ordinality as t(event_id, hash, place)`.execute(
    tx
  )
  const end = { number: first + events.length - 1, hash, sealed_at }
  await tx
    .insertInto('event_chain')
    .values({ account_id, ...end })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(end))
    .execute()
}

/** Keeps what events of an account are in its chain, before they are removed with it. Answers their ids, none when all are kept. */
export async function keepDigests(tx: Tx, account_id: string, erased_at: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`insert into event_erased (account_id, event_id, digest, erased_at)
    select e.account_id, e.id, ${eventDigest}, ${erased_at} from event e
    join event_seal s on s.account_id = e.account_id and s.event_id = e.id where e.account_id = ${account_id} order by e.id limit ${most}
    on conflict (account_id, event_id) do update set digest = event_erased.digest returning event_id`.execute(tx)
  return rows.map(({ event_id }) => event_id)
}

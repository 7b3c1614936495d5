import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'
import { chainStart, eventDigest, nextHash } from './chain-events.ts'

/** An entry of a chain and its neighbours, as hex. `unchanged`: the event says what it said when it entered the chain. */
type ProvedEntry = { number: number; hash: string; before: string; after: string | null; unchanged: boolean; checked_at: string }

/** The place of an event in its account's chain, computed anew; null while it has no place in it. */
export async function proveEntry(db: Db, account_id: string, event_id: string, at: Date): Promise<ProvedEntry | null> {
  const { rows } = await sql<{ number: number; hash: Buffer; before: Buffer | null; after: Buffer | null; digest: Buffer | null }>`
    select s.number, s.hash, previous.hash as before, following.hash as after, ${eventDigest} as digest
    from event_seal s left join event e on e.account_id = s.account_id and e.id = s.event_id
      left join event_seal previous on previous.account_id = s.account_id and previous.number = s.number - 1
      left join event_seal following on following.account_id = s.account_id and following.number = s.number + 1
    where s.account_id = ${account_id} and s.event_id = ${event_id}`.execute(db)
  const [entry] = rows
  if (!entry) return null
  const { number, hash, after, digest } = entry
  const before = entry.before ?? chainStart
  return {
    number,
    hash: hash.toString('hex'),
    before: before.toString('hex'),
    after: after?.toString('hex') ?? null,
    unchanged: hash.equals(nextHash(before, event_id, digest)),
    checked_at: at.toISOString(),
  }
}

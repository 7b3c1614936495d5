import { sql } from 'kysely'
import type { App, Db } from '../kernel/app.ts'
import { chainStart, eventDigest, nextHash } from './chain-events.ts'

const rowsAtOnce = 2000
const hour = 3_600_000

export type Finding = { number: number | null; event_id: string | null; words: string }
/** `waiting`: events so new that they are not in the chain yet. `findings` are at most as many as were asked for, `found` counts all. */
export type Verdict = { account_id: string; number: number; hash: string; waiting: number; findings: Finding[]; found: number }

/**
 * Checks an account's chain from its first entry to its last against the events themselves, in bounded memory. `head`: an entry that
 * somebody kept elsewhere; the chain must still have it. Times run on, but for as long as a transaction may last: an event that claims
 * to be over an hour older than the one before it in the chain was added later.
 */
export async function verifyActivities({ db }: Pick<App, 'db'>, account_id: string, options: Options = {}): Promise<Verdict> {
  return db.snapshot((tx) => verify(tx, account_id, options))
}

type Options = { most?: number; head?: { number: number; hash: string } | null }
type Entry = { number: number; event_id: string; hash: Buffer; at: Date | null; digest: Buffer | null }

async function verify(db: Db, account_id: string, { most = 20, head = null }: Options): Promise<Verdict> {
  const verdict: Verdict = { account_id, number: 0, hash: '', waiting: 0, findings: [], found: 0 }
  const find = (number: number | null, event_id: string | null, words: string) => {
    if (++verdict.found <= most) verdict.findings.push({ number, event_id, words })
  }
  let before: { number: number; hash: Buffer; at: Date } = { number: 0, hash: chainStart, at: new Date(0) }
  let kept = head === null
  for (let more = true; more;) {
    const { rows } =
      await sql<Entry>`select s.number, s.event_id, s.hash, e.at, coalesce(${eventDigest}, gone.digest) as digest from event_seal s
      left join event e on e.account_id = s.account_id and e.id = s.event_id
      left join event_erased gone on gone.account_id = s.account_id and gone.event_id = s.event_id and e.id is null
        and exists (select from account a where a.id = s.account_id and a.erase_at <= gone.erased_at)
      where s.account_id = ${account_id} and s.number > ${before.number} order by s.number limit ${rowsAtOnce}`.execute(db)
    for (const entry of rows) {
      const { number, event_id, hash, at, digest } = entry
      if (number !== before.number + 1) find(before.number + 1, null, `Entries before ${number} were removed from the chain`)
      if (digest === null) find(number, event_id, 'The activity was removed')
      else if (!hash.equals(nextHash(before.hash, event_id, digest)))
        find(number, event_id, 'The activity is not what was written here: it was altered, or something stands in its place')
      else if (at && before.at.getTime() - at.getTime() > hour)
        find(number, event_id, `The activity says ${at.toISOString()}, but was written after one of ${before.at.toISOString()}`)
      if (head?.number === number && head.hash === hash.toString('hex')) kept = true
      before = { number, hash, at: at && at > before.at ? at : before.at }
    }
    more = rows.length === rowsAtOnce
  }
  const end = await db.selectFrom('event_chain').select(['number', 'hash']).where('account_id', '=', account_id).executeTakeFirst()
  if ((end?.number ?? 0) !== before.number || (end && !end.hash.equals(before.hash)))
    find(before.number, null, `The chain ends at entry ${before.number}, though it had ${end?.number ?? 0}`)
  if (!kept) find(head!.number, null, 'The entry that was kept elsewhere is not in the chain: it was written anew')
  const { waiting, unknown, ids } = await outsideChain(db, account_id, most)
  for (const id of ids) find(null, id, 'The activity never came into the chain: it was added without the product')
  verdict.found += unknown - ids.length
  return { ...verdict, number: before.number, hash: before.number ? before.hash.toString('hex') : '', waiting }
}

/** Events outside the chain: how many wait for it, how many nobody announced, and the first of those. */
async function outsideChain(db: Db, account_id: string, most: number) {
  const { rows } = await sql<{ waiting: number; unknown: number; ids: string[] }>`with outside as materialized (
      select e.id, u.event_id is not null as waits from event e
      left join event_unsealed u on u.account_id = e.account_id and u.event_id = e.id
      where e.account_id = ${account_id}
        and not exists (select from event_seal s where s.account_id = e.account_id and s.event_id = e.id))
    select count(*) filter (where waits) as waiting, count(*) filter (where not waits) as unknown,
      array(select id from outside where not waits order by id limit ${most}) as ids from outside`.execute(db)
  return rows[0]!
}

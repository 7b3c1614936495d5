import { sql } from 'kysely'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { findJudged, isNowFor, offNow, seesLarge, simSeen } from '../usage/index.ts'

/** SIMs that should work, by the network that they last used data on: those that are not as usual now, those never seen, and those of these that are none of the former. */
export type Standing = {
  read_at: Date
  networks: { mccmnc: string | null; sims: number; off: number; unseen: number; unjudged: number }[]
}

/** Of a large account each SIM is read for it, so that it is read once in 5 s for the sentence, the strip and the map. Undefined of others: with the rest of what is asked. */
export const shareStanding = async (db: ReadDb, actor: Actor): Promise<Standing | undefined> =>
  (await seesLarge(db, actor)) ? db.sharedSnapshot(actor.account_id, ['standing'], (tx) => readStanding(tx, actor), isNowFor) : undefined

export async function readStanding(db: Db, actor: Actor): Promise<Standing> {
  const { account_id, at } = actor
  const judged = await findJudged(db, actor)
  const unseen = sql`k.sim_id is null and c.sim_id is null`
  const { rows } = await sql<Standing['networks'][number]>`
    with off as materialized (select sim_id from (${offNow(actor, judged ?? sql`null::timestamptz`)}) n)
    select nullif(k.mccmnc, '') as mccmnc, count(*) as sims, count(off.sim_id) as off, count(*) filter (where ${unseen}) as unseen,
      count(*) filter (where ${unseen} and off.sim_id is null) as unjudged
    from sim s left join sim_sent k on k.account_id = ${account_id} and k.sim_id = s.id
      left join sim_counter c on c.account_id = ${account_id} and c.sim_id = s.id
      left join off on off.sim_id = s.id
    where s.account_id = ${account_id} and s.state = 'active' and ${simSeen(actor, sql`s.id`)} group by 1`.execute(db)
  return { read_at: at, networks: rows }
}

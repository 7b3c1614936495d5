import { sql } from 'kysely'
import type { Tx } from '../../kernel/app.ts'
import { chargeAgain, type ChargedBack, correctCharges } from '../../billing/rating/index.ts'
import { correctPools, type GivenBack, takeAgain } from '../../datapools/index.ts'
import { sharesOf } from './correction-queries.ts'

type Booked = { account_id: string; sim_id: string; day: string; correction_id: string; undoes: string | null }

/**
 * What pools gave, and what was charged, moves with a correction whose parts are written. A subtraction keeps what it gave back, so that it is exactly that which
 * comes again when it is undone. With the totals of the SIM locked.
 */
export async function movePoolsAndCharges(tx: Tx, of: Booked, bytes: number, at: Date): Promise<void> {
  const { account_id, correction_id, undoes } = of
  const given = bytes > 0 && undoes !== null ? await findGiven(tx, account_id, undoes) : undefined
  if (given) {
    await takeAgain(tx, of, given.pools, at)
    return chargeAgain(tx, of, given.charges, at)
  }
  // What names no network was counted in some: their zones say which pool gives it, and what it costs.
  const shares = await sharesOf(tx, of, bytes)
  const corrected = { ...of, mccmnc: shares.length === 1 ? shares[0]!.mccmnc : '', shares }
  const moved = await correctPools(tx, corrected, bytes, at)
  const charges = await correctCharges(tx, corrected, bytes, moved, at)
  if (bytes >= 0) return
  const pools = moved.back.flatMap(({ terms }) => terms)
  await sql`insert into usage_correction_back values (${account_id}, ${correction_id}, ${JSON.stringify(pools)}, ${JSON.stringify(charges)})`.execute(
    tx
  )
}

/** What a subtraction gave back; nothing for one of an earlier version, and for what added. */
async function findGiven(tx: Tx, account_id: string, correction_id: string) {
  const { rows } = await sql<{ pools: GivenBack[]; charges: ChargedBack[] }>`select pools, charges from usage_correction_back
    where account_id = ${account_id} and correction_id = ${correction_id}`.execute(tx)
  return rows[0]
}

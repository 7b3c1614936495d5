import { sql } from 'kysely'
import { limitRaised, limitSet } from '@masthead/contract/assets/events'
import { raiseTooLow, simHasNoLimit } from '@masthead/contract/assets/problems'
import type { LimitPeriod } from '@masthead/contract/assets/sim'
import { Problem } from '@masthead/contract/kernel/problem'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { keepLimits, raiseSimLimits, setSimLimits } from '../../metering/index.ts'
import { limitNow } from '../../usage/index.ts'
import { getSimForUpdate } from '../asset-queries.ts'

/** Gives a SIM a limit of its own, or takes that away: its group's applies then. Throws asset_has_no_sim. */
export async function setLimitOf(
  tx: Tx,
  actor: Actor,
  asset_id: string,
  { bytes, period }: { bytes: number | null; period: LimitPeriod }
): Promise<void> {
  const sim = await getSimForUpdate(tx, actor, asset_id)
  const of = { account_id: actor.account_id, sim_id: sim.sim_id }
  await setSimLimits(tx, [{ ...of, limit: bytes === null ? null : { bytes, period } }], actor.at)
  await record(tx, actor, limitSet, { ...sim, bytes, period })
}

/** Allows a SIM more in the period that runs, whoever its limit is of. Throws asset_has_no_sim, sim_has_no_limit, raise_too_low. */
export async function raiseLimitOf(tx: Tx, actor: Actor, asset_id: string, { bytes }: { bytes: number }): Promise<void> {
  const sim = await getSimForUpdate(tx, actor, asset_id)
  const of = { account_id: actor.account_id, sim_id: sim.sim_id }
  await keepLimits(tx, of.account_id, [of.sim_id])
  const { rows } = await sql<{
    allows: number
    period: LimitPeriod
  }>`select l.period, ${limitNow(actor.at).allows} as allows from sim_limit l
    where l.account_id = ${of.account_id} and l.sim_id = ${of.sim_id}`.execute(tx)
  const [limit] = rows
  if (!limit) throw new Problem(simHasNoLimit)
  if (bytes <= limit.allows) {
    const words = `The limit allows ${formatBytes(limit.allows)} now. Enter more than that`
    throw new Problem(raiseTooLow, words, { fields: { bytes: words } })
  }
  await raiseSimLimits(tx, [{ ...of, bytes }], actor.at)
  await record(tx, actor, limitRaised, { ...sim, bytes, period: limit.period })
}

import { usageCorrected } from '@masthead/contract/assets/events'
import type { correctUsage as correctOp } from '@masthead/contract/backoffice/correction-operations'
import { correctionUndone, dayNotCorrectable, nothingCounted, usageBelowZero } from '@masthead/contract/backoffice/problems'
import { newId } from '@masthead/contract/kernel/id'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import { adjustmentMonth, type Change, type Correction } from '@masthead/contract/usage/correction'
import { needRightsOnThings, recordStaff } from '../index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { blockAtLimits, unblockBelowLimits } from '../../metering/index.ts'
import { correctDay, lockTotals, sumDay, takeBack, type DayOfSim } from '../../usage/index.ts'
import { getAnySim, getCorrection, type CorrectedSim } from './correction-queries.ts'
import { belowZeroWords, dayFault } from './correction-words.ts'
import { movePoolsAndCharges } from './move-pools-and-charges.ts'

type Body = Parsed<typeof correctOp>['body']

/**
 * Corrects what a SIM used on a day: its hours, the account's hours, its counters and what follows from its limit, in one transaction.
 * Throws not_found, asset_has_no_sim, staff_own_account, staff_may_more, nothing_counted, day_not_correctable, usage_below_zero.
 */
export async function correctUsage(tx: Tx, actor: Actor, key: string, body: Body): Promise<Correction> {
  const { day, mccmnc = null, rat = null, reason, ...change } = body
  const sim = await getAnySim(tx, actor.at, key)
  await needRightsOnThings(tx, actor, { id: sim.account_id, email: sim.email })
  if (change.bytes_up === 0 && change.bytes_down === 0) {
    const nothing = 'Enter how much to subtract or add'
    throw new Problem(invalidRequest, nothing, { fields: { bytes_up: nothing } })
  }
  const fault = dayFault(sim, day, actor.at)
  if (fault) throw new Problem(dayNotCorrectable, fault, { fields: { day: fault } })
  if (mccmnc !== null) await needNetwork(tx, sim, { day, mccmnc, rat })
  if (!(await lockTotals(tx, sim))) throw new Problem(nothingCounted)
  return book(tx, actor, sim, { day, mccmnc, rat, change, reason, undoes: null })
}

/**
 * Undoes a correction by another one, in the hours it corrected. Throws not_found, asset_has_no_sim, staff_own_account, staff_may_more,
 * correction_undone, usage_below_zero.
 */
export async function undoCorrection(tx: Tx, actor: Actor, key: string, id: string, reason: string): Promise<Correction> {
  const asset = await getAnySim(tx, actor.at, key)
  await needRightsOnThings(tx, actor, { id: asset.account_id, email: asset.email })
  const sim = { ...asset, sim_id: (await getCorrection(tx, asset, id)).sim_id }
  await lockTotals(tx, sim)
  const { correction } = await getCorrection(tx, asset, id)
  if (correction.undone_by) throw new Problem(correctionUndone)
  const { day, mccmnc, rat, bytes_up, bytes_down, iccid } = correction
  const change = { bytes_up: 0 - bytes_up, bytes_down: 0 - bytes_down }
  return book(tx, actor, { ...sim, iccid: iccid ?? sim.iccid }, { day, mccmnc, rat, change, reason, undoes: id })
}

/** One that is in our table of networks, or that a gateway reported for the SIM on that day. */
async function needNetwork(
  tx: Tx,
  { account_id, sim_id }: CorrectedSim,
  { day, mccmnc, rat }: { day: string; mccmnc: string; rat: string | null }
) {
  const known = await tx.selectFrom('network').select('mccmnc').where('mccmnc', '=', mccmnc).executeTakeFirst()
  if (known) return
  const { networks } = await sumDay(tx, { account_id, sim_id, day, mccmnc, rat }, { bytes_up: 0, bytes_down: 0 })
  if (networks.length > 0) return
  const words = `No network has the code ${mccmnc}, and nothing was counted in it on that day`
  throw new Problem(invalidRequest, words, { fields: { mccmnc: words } })
}

type Booked = Pick<DayOfSim, 'day' | 'mccmnc' | 'rat'> & { change: Change; reason: string; undoes: string | null }

/** With the totals locked. */
async function book(tx: Tx, actor: Actor, sim: CorrectedSim, { change, reason, undoes, ...which }: Booked): Promise<Correction> {
  const { account_id, sim_id, asset_id, asset_name, iccid, email } = sim
  const of: DayOfSim = { account_id, sim_id, ...which }
  const { day } = which
  const id = newId('correction', actor.at.getTime())
  const adjustment_month = adjustmentMonth(day, actor.at)
  const before = await sumDay(tx, of, change)
  await tx
    .insertInto('usage_correction')
    .values({ ...of, ...change, id, asset_id, reason, by_email: actor.email, created_at: actor.at, adjustment_month, undoes })
    .execute()
  const correction = { correction_id: id, ...of }
  const moved = undoes ? await takeBack(tx, correction, undoes, change) : await correctDay(tx, correction, change)
  if (!moved) throw new Problem(usageBelowZero, belowZeroWords(day, before))
  const detail = { asset_id, asset_name, sim_id, iccid, correction_id: id, day, ...change, adjustment_month, undoes, reason }
  const used = (bytes_up: number, bytes_down: number) => ({ day, bytes_up, bytes_down })
  await recordStaff(tx, actor, usageCorrected, detail, {
    account: { id: account_id, email },
    asset_id,
    target: asset_name,
    reason,
    before: used(before.bytes_up, before.bytes_down),
    after: used(before.after_up, before.after_down),
  })
  // After what they follow from, so that the activities have it in this order; a pool before SIMs, as the meter locks them.
  await movePoolsAndCharges(tx, { ...of, correction_id: id, undoes }, change.bytes_up + change.bytes_down, actor.at)
  await unblockBelowLimits(tx, [{ account_id, sim_id }], actor.at)
  await blockAtLimits(tx, [{ account_id, sim_id }], actor.at)
  return (await getCorrection(tx, sim, id)).correction
}

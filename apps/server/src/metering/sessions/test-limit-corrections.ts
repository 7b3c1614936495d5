import { expect } from 'vitest'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor } from '../../kernel/app.ts'
import { correctUsage, undoCorrection } from '../../backoffice/corrections/correct-usage.ts'
import type { History } from './test-limit-history.ts'
import type { Step } from './test-limit-steps.ts'

/** What it came to: done, or why it was refused. */
const outcome = async ({ corrections }: History, correction: Promise<{ id: string }>) => {
  try {
    corrections.push((await correction).id)
    return 'done'
  } catch (error) {
    if (error instanceof Problem) return error.kind.code
    throw error
  }
}

export async function correct(history: History, staff: Actor, one: Step & { do: 'correct' }) {
  const { now, right, sims, done } = history
  const day = new Date(now - one.ago * 86_400_000).toISOString().slice(0, 10)
  const network = one.bytes > 0 ? one.network : null
  const { used, meters } = right.sims[one.sim]!
  const ofDay = used.filter((each) => each.day === day).reduce((all, each) => all + each.bytes, 0)
  const change = { day, bytes_up: one.bytes, bytes_down: 0, ...(network !== null && { mccmnc: network }), reason: 'A ticket' }
  const answer = await outcome(
    history,
    history.write((tx) => correctUsage(tx, staff, sims[one.sim]!.asset_id, change))
  )
  const isKnown = meters.size > 0
  expect(answer).toBe(
    one.bytes === 0 ? 'invalid_request' : !isKnown ? 'nothing_counted' : ofDay + one.bytes < 0 ? 'usage_below_zero' : 'done'
  )
  if (answer === 'done') done.push({ do: 'correct', sim: one.sim, day, bytes: one.bytes, network, at: now })
}

/** Any of those that were made, also one that undid another, and one that is undone already. */
export async function undo(history: History, staff: Actor, given: number) {
  const { now, right, sims, done, corrections } = history
  if (corrections.length === 0) return
  const which = given % corrections.length
  const made = right.corrections.made[which]!
  const answer = await outcome(
    history,
    history.write((tx) => undoCorrection(tx, staff, sims[made.sim]!.asset_id, corrections[which]!, 'A mistake'))
  )
  expect(answer).toBe(made.isUndone ? 'correction_undone' : right.corrections.isMissing(made) ? 'usage_below_zero' : 'done')
  if (answer === 'done') done.push({ do: 'undo', which, at: now })
}

import type { RolloutDeviceState, RolloutPlan } from '@masthead/contract/alpon-fleets/rollout'
import { newId } from '@masthead/contract/kernel/id'
import { applyContainers, type Content } from '../../devices/agent/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { changesBetween } from './version-changes.ts'
import { rolloutId } from './control-rollout.ts'
import { versionId } from './publish-version.ts'
import { contentOf, findNewest, keptOf } from './version-queries.ts'

type PastDevice = {
  asset_id: string
  phase: number
  state: RolloutDeviceState
  attempts?: number
  error?: string
  /** Minutes after the start of the rollout. */
  began?: number
  settled?: number
}
type Past = {
  fleet: { id: string; name: string }
  pilot_name: string
  content: Content
  note: string
  plan: RolloutPlan
  state: 'finished' | 'halted'
  /** Minutes after its version was published, and after that start. */
  startedAfter: number
  endedAfter: number
  devices: readonly PastDevice[]
}

const after = (at: Date, minutes: number) => new Date(at.getTime() + minutes * 60_000)

/** Writes the next version of a fleet and what became of its rollout, as people did it at the time of the actor: for the demo. Devices that it reached are to run it. The activities,
 * which are in the order in which they were written, say nothing of it. */
export async function addPastRollout(tx: Tx, actor: Actor, { fleet, plan, content, devices, ...past }: Past): Promise<void> {
  const { account_id, at, email } = actor
  const newest = await findNewest(tx, account_id, fleet.id)
  const version = (newest?.version ?? 0) + 1
  const id = newId(versionId, at.getTime())
  await tx
    .insertInto('fleet_version')
    .values({
      account_id,
      fleet_id: fleet.id,
      id,
      version,
      pilot_name: past.pilot_name,
      ...keptOf(tx, id, content),
      changes: changesBetween(newest ? contentOf(tx, newest) : { containers: [], secrets: {} }, content),
      note: past.note,
      created_at: at,
      created_by: email,
    })
    .execute()
  const started_at = after(at, past.startedAfter)
  const ended_at = after(started_at, past.endedAfter)
  const rollout_id = newId(rolloutId, started_at.getTime())
  const finished_at = past.state === 'finished' ? ended_at : null
  await tx
    .insertInto('rollout')
    .values({
      account_id,
      id: rollout_id,
      fleet_id: fleet.id,
      version,
      plan: JSON.stringify(plan),
      state: past.state,
      started_at,
      started_by: email,
      finished_at,
    })
    .execute()
  for (const { asset_id, phase, state, attempts = state === 'pending' ? 0 : 1, error = null, began = 0, settled } of devices) {
    const revision = state === 'pending' ? null : await applyContainers(tx, { ...actor, at: after(started_at, began) }, asset_id, content)
    await tx
      .insertInto('rollout_device')
      .values({
        account_id,
        rollout_id,
        asset_id,
        phase,
        state,
        attempts,
        revision,
        error,
        started_at: revision === null ? null : after(started_at, began),
        settled_at: settled === undefined ? null : after(started_at, settled),
      })
      .execute()
    if (settled === undefined) continue
    // One after the other, each as long as the others.
    const tries = Array.from({ length: attempts }, (_, nth) => {
      const [from, to] = [nth, nth + 1].map((part) => began + ((settled - began) * part) / attempts) as [number, number]
      const outcome = state === 'success' && nth === attempts - 1 ? ('success' as const) : ('failure' as const)
      const times = { started_at: after(started_at, from), ended_at: after(started_at, to) }
      return { account_id, rollout_id, asset_id, ...times, outcome, words: outcome === 'success' ? null : error }
    })
    await tx.insertInto('rollout_try').values(tries).execute()
  }
  await tx.updateTable('fleet').set({ version }).where('account_id', '=', account_id).where('id', '=', fleet.id).execute()
}

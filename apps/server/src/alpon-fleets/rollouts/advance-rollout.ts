import { sql } from 'kysely'
import { joinedFailed, rolloutFinished, rolloutHalted } from '@masthead/contract/alpon-fleets/events'
import { isWithin, planRollout, type DeviceNow, type RolloutSteps } from '@masthead/contract/alpon-fleets/plan-rollout'
import type { RolloutPlan, RolloutState } from '@masthead/contract/alpon-fleets/rollout'
import type { Application } from '@masthead/contract/devices/agent/application'
import { agentKnowsImage, agentSetsNetwork } from '@masthead/contract/devices/agent/update'
import { fleetMoved, rolloutDevicesFailed } from '@masthead/contract/signals'
import { applyContainers, getAgentApplications } from '../../devices/agent/index.ts'
import { applyNetwork, networksOf, saysNothingOfNetwork, whoSaidNetwork, type NetworkContent } from '../../devices/network/index.ts'
import { systemActor, type App, type Tx } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'
import { record } from '../../kernel/record.ts'
import { isInTrouble, networkOutcome, outcomeOf, steadyOf, worse } from './outcome-of.ts'
import { moveOn } from './control-rollout.ts'
import { endTries } from './rollout-tries.ts'
import { contentOf, getVersion, type VersionContent } from './version-queries.ts'

const every = 5000
/** So many devices are begun with at once; the next ones follow with the next check. */
const mostStarts = 200

type Key = { account_id: string; rollout_id: string }

/** Checks how far the devices of a rollout are and takes the next steps; comes again while the rollout is not over. Two at once: one of them waits. */
export async function advanceRollout({ db, clock }: App, { account_id, rollout_id }: Key): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const rollout = await tx
      .selectFrom('rollout')
      .selectAll()
      .where('account_id', '=', account_id)
      .where('id', '=', rollout_id)
      .forUpdate()
      .executeTakeFirst()
    // After whoever resumed it meanwhile: what fails now is no failure that they saw.
    const at = clock.now()
    if (!rollout || rollout.state === 'aborted') return
    const version = await getVersion(tx, account_id, rollout.fleet_id, rollout.version)
    const content = contentOf(tx, version)
    const { devices, reasons, broughtBy } = await lookAt(tx, { ...rollout, network: content.network }, at)
    const steps = planRollout(rollout, devices, at.getTime())
    const { closed_at } = await tx.selectFrom('account').select('closed_at').where('id', '=', account_id).executeTakeFirstOrThrow()
    // The registry refuses its devices what they are to download.
    steps.start = closed_at ? [] : steps.start.slice(0, mostStarts)
    const before = await getAgentApplications(tx, account_id, steps.start)
    const said = await whoSaidNetwork(tx, account_id, steps.start)
    refuseTooOld(steps, content, { before, said }, reasons)
    await settle(tx, { account_id, rollout_id }, steps, reasons, at)
    // Nothing halts for these.
    const failed = devices.filter(({ restored, asset_id }) => restored && steps.fail.includes(asset_id)).length
    if (failed > 0) await record(tx, systemActor(account_id, at), joinedFailed, { ...(await detailOf(tx, rollout)), failed })
    if (rollout.plan.pilot_minutes && devices.some(({ pilot, asset_id }) => pilot && steps.succeed.includes(asset_id)))
      await tx
        .updateTable('rollout')
        .set({ pilot_passed_at: at })
        .where('account_id', '=', account_id)
        .where('id', '=', rollout_id)
        .execute()
    for (const asset_id of steps.start.toSorted()) {
      const anew = new Set(
        before
          .get(asset_id)
          ?.items.filter(isInTrouble)
          .map(({ name }) => name)
      )
      const actor = { ...systemActor(account_id, at), email: broughtBy.get(asset_id) ?? rollout.started_by }
      await applyNetwork(tx, actor, asset_id, content.network)
      const revision = await applyContainers(tx, actor, asset_id, content, anew)
      await tx
        .updateTable('rollout_device')
        .set((eb) => ({ state: 'started', attempts: eb('attempts', '+', 1), revision, started_at: at, settled_at: null, error: null }))
        .set({ steady_since: null, steady_of: null })
        .where('account_id', '=', account_id)
        .where('rollout_id', '=', rollout_id)
        .where('asset_id', '=', asset_id)
        .execute()
    }
    if (steps.become) await become(tx, rollout, steps, at)
    // A paused or halted one has somebody to wake it; what has begun there is still to end. One that has finished goes on while it brings the version to
    // some: those that are away wake it when they are back (devices/broker/wake-rollouts.ts).
    const left = devices.filter(({ asset_id }) => !steps.succeed.includes(asset_id) && !steps.fail.includes(asset_id))
    const runs = left.some(({ state }) => state === 'started')
    const moved = steps.start.length + steps.succeed.length + steps.again.length + steps.fail.length
    // Whoever looks sees also how far those are that are at it.
    if (runs || moved > 0) await publish(tx, [account_id], fleetMoved)
    if (steps.fail.length > 0) await publish(tx, [account_id], rolloutDevicesFailed)
    const canBegin = !closed_at && left.some(({ state, online }) => state === 'pending' && online)
    const waits = rollout.state === 'running' || (rollout.state === 'finished' && canBegin)
    if (steps.become !== 'finished' && (waits || runs))
      await moveOn(tx, account_id, rollout_id, new Date(Date.now() + looksAgainIn(rollout.plan, at.getTime(), { runs, canBegin })))
  })
}

/**
 * Devices whose agent is too old fail in place of beginning: one that cannot read an image would refuse all that is wanted, and one that does not set networks
 * would say nothing of them until its time is over. `said`: those that said what their network is like. `reasons` says why.
 */
function refuseTooOld(
  steps: RolloutSteps,
  { containers, network }: Required<VersionContent>,
  { before, said }: { before: Map<string, Application>; said: Set<string> },
  reasons: Map<string, string>
) {
  const begin: string[] = []
  for (const asset_id of steps.start) {
    const version = before.get(asset_id)?.device?.agent_version ?? null
    const tooNew = containers.find(({ image }) => !agentKnowsImage(version, image))
    const words = tooNew
      ? `${tooNew.name}: the agent ${version} is too old for this image`
      : saysNothingOfNetwork(network) || agentSetsNetwork(version, said.has(asset_id))
        ? null
        : `Network: the agent ${version} is too old to set it`
    if (words !== null) reasons.set(asset_id, `${words}. Update the agent, then try again`)
    ;(words === null ? begin : steps.fail).push(asset_id)
  }
  steps.start = begin
}

/**
 * After how many milliseconds it is checked again. With nothing at work, and its window shut or nobody there who waits for it, at the next full minute: windows
 * open at no other time, and the broker has it moved on when a device connects.
 */
export const looksAgainIn = (
  { window }: Pick<RolloutPlan, 'window'>,
  at: number,
  { runs, canBegin }: { runs: boolean; canBegin: boolean }
): number => (runs || (canBegin && (!window || isWithin(window, at))) ? every : 60_000 - (at % 60_000))

type Looked = {
  account_id: string
  id: string
  fleet_id: string
  plan: RolloutPlan
  state: RolloutState
  pilot_asset_id: string | null
  resumed_at: Date | null
  /** What its version says of the network. */
  network: NetworkContent
}

/** The devices as the planner wants them, why the tries failed that did, and who had the version brought to some of them. */
async function lookAt(tx: Tx, { account_id, id, fleet_id, plan, state: is, pilot_asset_id, resumed_at, network }: Looked, at: Date) {
  const isFinished = is === 'finished'
  const rows = await tx
    .selectFrom('rollout_device as d')
    .leftJoin('device', (join) => join.onRef('device.account_id', '=', 'd.account_id').onRef('device.asset_id', '=', 'd.asset_id'))
    .leftJoin('fleet', (join) => join.onRef('fleet.account_id', '=', 'd.account_id').on('fleet.id', '=', fleet_id))
    .select(['d.asset_id', 'd.phase', 'd.state', 'd.attempts', 'd.revision', 'd.started_at', 'd.settled_at'])
    .select(['d.restored', 'd.brought_by', 'd.steady_since', 'd.steady_of', 'device.reported_at as heard_at'])
    .select(sql<boolean>`coalesce(device.online and device.kind = 'agent', false)`.as('online'))
    .select(sql<boolean>`d.asset_id is not distinct from coalesce(${pilot_asset_id}::text, fleet.pilot_asset_id)`.as('pilot'))
    .where('d.account_id', '=', account_id)
    .where('d.rollout_id', '=', id)
    .$if(isFinished, (all) => all.where('d.restored', '=', true))
    // One that failed and left the fleet since says nothing of those that are in it, and halts nothing for them.
    .where(
      sql<boolean>`(d.state <> 'failure' or exists (select from fleet_asset f
        where f.account_id = d.account_id and f.fleet_id = ${fleet_id} and f.asset_id = d.asset_id))`
    )
    .orderBy('d.asset_id')
    .execute()
  const started = rows.filter(({ state }) => state === 'started').map(({ asset_id }) => asset_id)
  const applications = await getAgentApplications(tx, account_id, started)
  const networks = saysNothingOfNetwork(network) ? null : await networksOf(tx, account_id, started)
  const reasons = new Map<string, string>()
  const broughtBy = new Map<string, string>()
  const devices: DeviceNow[] = []
  for (const { revision, started_at, settled_at, heard_at, steady_since, steady_of, brought_by, ...row } of rows) {
    const { asset_id, state, online, pilot } = row
    if (brought_by !== null) broughtBy.set(asset_id, brought_by)
    const application = applications.get(asset_id)
    let end = state === 'started' ? outcomeOf(application, { revision: revision ?? 0, started_at: started_at!, heard_at }, at) : null
    if (state === 'started' && networks) end = worse(end, networkOutcome(networks.get(asset_id), network))
    if (application && pilot && plan.pilot_minutes) {
      const standing = { steady_of: steadyOf(application), since: steady_since, before: steady_of }
      const since = await noteSteady(tx, { account_id, id, asset_id }, standing, at)
      // Seen after that time, and not only silent.
      const isOver = since !== null && online && (heard_at?.getTime() ?? 0) - since.getTime() >= plan.pilot_minutes * 60_000
      if (end?.outcome === 'success' && !isOver) end = null
    }
    if (end?.words) reasons.set(asset_id, end.words)
    else if (state === 'started' && !online) reasons.set(asset_id, 'It went offline before it was done')
    const forgiven = resumed_at !== null && settled_at !== null && settled_at <= resumed_at
    // One that was the pilot when it began is what the others waited for.
    const restored = row.restored && (isFinished || !pilot)
    devices.push({ ...row, restored, started_at: started_at?.getTime() ?? null, outcome: end?.outcome ?? null, forgiven })
  }
  return { devices, reasons, broughtBy }
}

/** Since when the pilot runs what it runs now; null: it does not run what it is to. A container that was started again begins anew. */
async function noteSteady(
  tx: Tx,
  { account_id, id, asset_id }: { account_id: string; id: string; asset_id: string },
  { steady_of, since, before }: { steady_of: string | null; since: Date | null; before: string | null },
  at: Date
): Promise<Date | null> {
  if (steady_of === before) return since
  const steady_since = steady_of === null ? null : at
  await tx
    .updateTable('rollout_device')
    .set({ steady_of, steady_since })
    .where('account_id', '=', account_id)
    .where('rollout_id', '=', id)
    .where('asset_id', '=', asset_id)
    .execute()
  return steady_since
}

async function settle(tx: Tx, of: Key, steps: RolloutSteps, reasons: Map<string, string>, at: Date) {
  const because = (id: string) => reasons.get(id) ?? 'It was not done in time'
  await endTries(tx, of, { ids: steps.succeed, state: 'success', because: () => null, at })
  await endTries(tx, of, { ids: steps.again, state: 'pending', because, at })
  await endTries(tx, of, { ids: steps.fail, state: 'failure', because, at })
}

type Row = { account_id: string; id: string; fleet_id: string; version: number }

async function detailOf(tx: Tx, { account_id, id, fleet_id, version }: Row) {
  const { name: fleet_name } = await tx
    .selectFrom('fleet')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', fleet_id)
    .executeTakeFirstOrThrow()
  return { fleet_id, fleet_name, version, rollout_id: id }
}

async function become(tx: Tx, rollout: Row, steps: RolloutSteps, at: Date) {
  const { account_id, id } = rollout
  const state = steps.become!
  await tx
    .updateTable('rollout')
    .set({ state, ...(state === 'finished' && { finished_at: at }) })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
  const detail = await detailOf(tx, rollout)
  if (state === 'halted') await record(tx, systemActor(account_id, at), rolloutHalted, { ...detail, failed: steps.failed })
  else await record(tx, systemActor(account_id, at), rolloutFinished, detail)
}

/**
 * A rollout that runs, brings its version to devices that can be reached, or on whose devices something runs, and has no job is moved on: the process that
 * was at it was killed at the wrong moment.
 */
export async function wakeRollouts({ db }: App): Promise<void> {
  const { rows } = await sql<{ account_id: string; id: string }>`select account_id, id from rollout r
    where state = 'running' or state in ('paused', 'halted') and exists (select from rollout_device d
      where d.account_id = r.account_id and d.rollout_id = r.id and d.state = 'started')
      or state = 'finished' and (account_id, id) in (select d.account_id, d.rollout_id from rollout_device d
        left join device on device.account_id = d.account_id and device.asset_id = d.asset_id
        where d.restored and (d.state = 'started' or d.state = 'pending' and device.online and device.kind = 'agent'))`.execute(db)
  await db.transaction().execute(async (tx) => {
    for (const { account_id, id } of rows) await moveOn(tx, account_id, id)
  })
}

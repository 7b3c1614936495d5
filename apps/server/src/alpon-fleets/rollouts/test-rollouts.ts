import { sql } from 'kysely'
import { addFleetAssets, createFleet, updateFleet } from '@masthead/contract/alpon-fleets/operations'
import * as ops from '@masthead/contract/alpon-fleets/rollout-operations'
import type { RolloutPlan } from '@masthead/contract/alpon-fleets/rollout'
import { deployContainer, getApplication } from '@masthead/contract/devices/agent/operations'
import type { House, Person } from '@masthead/testkit/house'
import { addAsset } from '../../assets/test-stock.ts'
import { putDevice, report } from '../test-fleet.ts'

export const plan: RolloutPlan = { phases: [20, 100], most_failed_percent: 30, retries: 0, minutes_a_device: 30, window: null }
export const digest = `sha256:${'ab'.repeat(32)}`

/** What tests do with fleets and their rollouts. */
export function rolloutCalls(house: () => House, ada: () => Person) {
  /** What is to be checked again in some seconds is checked now. */
  async function check() {
    await house().settle()
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(house().db)
    await house().settle()
  }

  /** A fleet of `count` devices that are online; the first one is its pilot and runs a container. */
  async function fleetOf(count: number) {
    const assets: string[] = []
    for (let nth = 0; nth < count; nth++) {
      const { id } = await addAsset(house(), ada())
      await putDevice(house(), { account_id: ada().account_id, asset_id: id })
      assets.push(id)
    }
    const [pilot = ''] = assets
    const { body: fleet } = await ada().call(createFleet, { body: { name: 'Depots' } })
    await ada().call(addFleetAssets, { params: { fleet_id: fleet.id }, body: { assets } })
    await ada().call(updateFleet, { params: { fleet_id: fleet.id }, body: { pilot_asset_id: pilot } })
    await deploy(pilot)
    return { fleet_id: fleet.id, pilot, assets }
  }

  async function deploy(asset_id: string) {
    const body = { name: 'relay', image: 'acme/relay:1', environment: [{ name: 'TOKEN', value: 'very secret', secret: true }] }
    const answer = await ada().call(deployContainer, { params: { asset_id }, body })
    if (answer.status !== 200) throw new Error(answer.text)
    await says(asset_id)
  }
  /** Its container runs, for so long that it counts; or what is wrong with it. */
  async function says(asset_id: string, trouble?: string) {
    if (!trouble) house().clock.advance({ seconds: 20 })
    await report(house(), { account_id: ada().account_id, asset_id, ...(trouble && { trouble }) })
  }
  const publish = (fleet_id: string, note: string | null = null) => ada().call(ops.publishVersion, { params: { fleet_id }, body: { note } })
  const start = (fleet_id: string, more: Partial<RolloutPlan> = {}, version = 1) =>
    ada().call(ops.startRollout, { params: { fleet_id }, body: { version, plan: { ...plan, ...more } } })
  const last = async (fleet_id: string) => (await ada().call(ops.listRollouts, { params: { fleet_id } })).body.items[0]!
  const devicesOf = async (fleet_id: string, rollout_id: string, query = {}) =>
    (await ada().call(ops.listRolloutAssets, { params: { fleet_id, rollout_id }, query })).body.items
  const controls = { pause: ops.pauseRollout, resume: ops.resumeRollout, abort: ops.abortRollout, retry: ops.retryRollout }
  const control = (action: keyof typeof controls, fleet_id: string, rollout_id: string) =>
    ada().call(controls[action], { params: { fleet_id, rollout_id } })
  const containersOn = async (asset_id: string) => (await ada().call(getApplication, { params: { asset_id } })).body.items
  const setPilot = (fleet_id: string, pilot_asset_id: string | null) =>
    ada().call(updateFleet, { params: { fleet_id }, body: { pilot_asset_id } })
  return { check, fleetOf, says, publish, start, last, devicesOf, control, containersOn, setPilot }
}

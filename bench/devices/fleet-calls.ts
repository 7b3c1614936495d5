import type { FleetVersion, Rollout, RolloutPlan } from '@masthead/contract/alpon-fleets/rollout'
import { mostAtOnce } from '@masthead/contract/alpon-fleets/fleet'
import type { Call } from './client.ts'
import { until } from './until.ts'

const container = { name: 'relay', image: 'acme/relay:1' }
/** A device that runs what is wanted says so within this time. */
const runsWithin = 90_000 // ms

/** A fleet of all these assets; the first one is its pilot and runs a container. */
export async function putFleet(call: Call, assets: readonly string[]) {
  const [pilot = ''] = assets
  const { id } = await call<{ id: string }>('POST', 'alpon-fleets', { name: 'Bench' })
  for (let from = 0; from < assets.length; from += mostAtOnce)
    await call('POST', `alpon-fleets/${id}/assets`, { assets: assets.slice(from, from + mostAtOnce) })
  await call('PATCH', `alpon-fleets/${id}`, { pilot_asset_id: pilot })
  await call('POST', `assets/${pilot}/alpon/containers`, container)
  return {
    /** Publishes what the pilot runs, once it runs what is wanted of it. */
    publish: () =>
      until('The version of the pilot', runsWithin, () => call<FleetVersion>('POST', `alpon-fleets/${id}/versions`, {})).then(
        ({ version }) => version
      ),
    /** Another image on the pilot. */
    change: (image: string) => call('PATCH', `assets/${pilot}/alpon/containers/${container.name}`, { image }),
    start: (version: number, plan: RolloutPlan) => call<Rollout>('POST', `alpon-fleets/${id}/rollouts`, { version, plan }),
    retry: (rollout: string) => call<Rollout>('POST', `alpon-fleets/${id}/rollouts/${rollout}/retry`),
    /** The newest rollout. */
    last: async () => (await call<{ items: Rollout[] }>('GET', `alpon-fleets/${id}/rollouts?page_size=1`)).items[0] ?? ('none' as const),
  }
}

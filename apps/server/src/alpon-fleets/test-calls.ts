import type { CallRows } from '../test-calls.ts'
import type { Scene } from '../test-samples.ts'

const planOf = (first: number) => ({
  phases: first === 100 ? [100] : [first, 100],
  most_failed_percent: 5,
  retries: 0,
  minutes_a_device: 30,
  window: null,
})

export const calls: CallRows = {
  'alpon_fleets.listFleets': { access: 'alpon_fleets.view' },
  'alpon_fleets.getFleet': { access: 'alpon_fleets.view', sample: ({ fleet }) => ({ params: { fleet_id: fleet.id } }) },
  'alpon_fleets.createFleet': {
    access: 'alpon_fleets.edit',
    sample: () => ({ body: { name: 'Ships' }, other: { name: 'Trucks' } }),
  },
  'alpon_fleets.updateFleet': {
    access: 'alpon_fleets.edit',
    sample: ({ fleet }) => ({ params: { fleet_id: fleet.id }, body: { name: 'Harbours' }, other: { name: 'Stations' } }),
  },
  'alpon_fleets.deleteFleet': {
    access: 'alpon_fleets.edit',
    sample: ({ fleet }) => ({ params: { fleet_id: fleet.id }, other: { fleet_id: 'another' } }),
  },
  'alpon_fleets.listFleetAssets': { access: 'alpon_fleets.view', sample: ({ fleet }) => ({ params: { fleet_id: fleet.id } }) },
  'alpon_fleets.addFleetAssets': {
    access: 'alpon_fleets.edit',
    sample: ({ fleet, active, idle }) => ({ params: { fleet_id: fleet.id }, body: { assets: [active.id] }, other: { assets: [idle.id] } }),
  },
  'alpon_fleets.removeFleetAssets': {
    access: 'alpon_fleets.edit',
    sample: ({ fleet, active, idle }) => ({ params: { fleet_id: fleet.id }, body: { assets: [active.id] }, other: { assets: [idle.id] } }),
  },
  'alpon_fleets.listVersions': { access: 'alpon_fleets.view', sample: ({ fleet }) => ({ params: { fleet_id: fleet.id } }) },
  'alpon_fleets.publishVersion': {
    access: 'alpon_fleets.edit',
    sample: ({ fleet }) => ({ params: { fleet_id: fleet.ready_id }, body: { note: 'First' }, other: { note: 'Second' } }),
  },
  'alpon_fleets.listRollouts': { access: 'alpon_fleets.view', sample: ({ fleet }) => ({ params: { fleet_id: fleet.id } }) },
  'alpon_fleets.getRolloutPreview': {
    access: 'alpon_fleets.view',
    sample: ({ fleet }) => ({ params: { fleet_id: fleet.id }, query: { version: '1' } }),
  },
  'alpon_fleets.startRollout': {
    access: 'alpon_fleets.edit',
    sample: ({ fleet }) => ({
      params: { fleet_id: fleet.ready_id },
      body: { version: 1, plan: planOf(100) },
      other: { version: 1, plan: planOf(99) },
    }),
  },
  'alpon_fleets.restoreFleetAsset': {
    access: 'alpon_fleets.edit',
    sample: ({ fleet, active, idle }) => ({ params: { fleet_id: fleet.id, asset_id: active.id }, other: { asset_id: idle.id } }),
  },
  'alpon_fleets.listRolloutAssets': {
    access: 'alpon_fleets.view',
    sample: ({ fleet }) => ({ params: { fleet_id: fleet.id, rollout_id: fleet.rollout_id } }),
  },
  'alpon_fleets.listRolloutTries': {
    access: 'alpon_fleets.view',
    sample: ({ fleet, active }) => ({ params: { fleet_id: fleet.id, rollout_id: fleet.rollout_id, asset_id: active.id } }),
  },
  ...Object.fromEntries(
    (['pause', 'resume', 'abort', 'retry'] as const).map((action) => [
      `alpon_fleets.${action}Rollout`,
      {
        access: 'alpon_fleets.edit',
        sample: ({ fleet }: Scene) => ({ params: { fleet_id: fleet.id, rollout_id: fleet.rollout_id }, other: { rollout_id: 'another' } }),
      },
    ])
  ),
}

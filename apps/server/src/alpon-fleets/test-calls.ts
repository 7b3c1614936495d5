import type { CallRows } from '../test-calls.ts'

export const calls: CallRows = {
  'alpon_fleets.listFleets': { access: 'alpon_fleets.view' },
  'alpon_fleets.getFleet': { access: 'alpon_fleets.view', sample: ({ fleet_id }) => ({ params: { fleet_id } }) },
  'alpon_fleets.createFleet': {
    access: 'alpon_fleets.edit',
    sample: () => ({ body: { name: 'Ships' }, other: { name: 'Trucks' } }),
  },
  'alpon_fleets.updateFleet': {
    access: 'alpon_fleets.edit',
    sample: ({ fleet_id }) => ({ params: { fleet_id }, body: { name: 'Harbours' }, other: { name: 'Stations' } }),
  },
  'alpon_fleets.deleteFleet': {
    access: 'alpon_fleets.edit',
    sample: ({ fleet_id }) => ({ params: { fleet_id }, other: { fleet_id: 'another' } }),
  },
  'alpon_fleets.listFleetAssets': { access: 'alpon_fleets.view', sample: ({ fleet_id }) => ({ params: { fleet_id } }) },
  'alpon_fleets.addFleetAssets': {
    access: 'alpon_fleets.edit',
    sample: ({ fleet_id, active, idle }) => ({ params: { fleet_id }, body: { assets: [active.id] }, other: { assets: [idle.id] } }),
  },
  'alpon_fleets.removeFleetAssets': {
    access: 'alpon_fleets.edit',
    sample: ({ fleet_id, active, idle }) => ({ params: { fleet_id }, body: { assets: [active.id] }, other: { assets: [idle.id] } }),
  },
}

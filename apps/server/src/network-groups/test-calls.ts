import type { CallRows } from '../test-calls.ts'

export const calls: CallRows = {
  'network_groups.listNetworkGroups': { access: 'network_groups.view' },
  'network_groups.getNetworkGroup': { access: 'network_groups.view', sample: ({ network_group_id }) => ({ params: { network_group_id } }) },
  'network_groups.createNetworkGroup': {
    access: 'network_groups.edit',
    sample: () => ({ body: { name: 'Meters' }, other: { name: 'Reefers' } }),
  },
  'network_groups.previewNetworkGroup': {
    access: 'network_groups.edit',
    sample: ({ network_group_id }) => ({ params: { network_group_id }, body: { countries: ['DE'] } }),
  },
  'network_groups.updateNetworkGroup': {
    access: 'network_groups.edit',
    sample: ({ network_group_id }) => ({ params: { network_group_id }, body: { countries: ['DE'] }, other: { countries: ['FR'] } }),
  },
  'network_groups.deleteNetworkGroup': {
    access: 'network_groups.edit',
    sample: ({ network_group_id }) => ({ params: { network_group_id }, other: { network_group_id: 'another' } }),
  },
}

import type { CallRows } from '../test-calls.ts'

let made = 0

export const calls: CallRows = {
  'datapools.listDataPools': { access: 'datapools.view' },
  'datapools.listPackages': { access: 'datapools.view' },
  'datapools.getDataPool': { access: 'datapools.view', sample: ({ pool_id }) => ({ params: { pool_id } }) },
  'datapools.listPoolSims': { access: 'datapools.view', sample: ({ pool_id }) => ({ params: { pool_id } }) },
  'datapools.updateDataPool': { access: 'datapools.edit', sample: ({ pool_id }) => ({ params: { pool_id }, body: { priority: 2 } }) },
  'datapools.addPoolAssets': {
    access: 'datapools.edit',
    sample: ({ pool_id, active }) => ({ params: { pool_id }, body: { assets: [active.id] } }),
  },
  'datapools.removePoolAssets': {
    access: 'datapools.edit',
    sample: ({ pool_id, active }) => ({ params: { pool_id }, body: { assets: [active.id] } }),
  },
  'datapools.setPoolTags': {
    access: 'datapools.edit',
    sample: ({ pool_id, tag_id }) => ({ params: { pool_id }, body: { tags: [tag_id] } }),
  },
  'backoffice.listAllPackages': { access: 'manage_datapools' },
  'backoffice.createPackage': {
    access: 'manage_datapools',
    sample: () => ({
      body: { name: `Package of samples ${++made}`, kind: 'fixed', size_bytes: 1_000_000, validity: { count: 1, unit: 'month' } },
    }),
  },
  'backoffice.retirePackage': { access: 'manage_datapools', sample: ({ package_id }) => ({ params: { package_id } }) },
  'backoffice.listCustomerPools': { access: 'manage_datapools' },
  'backoffice.openPool': {
    access: 'manage_datapools',
    sample: ({ owner, offered_id }) => ({
      body: { account: owner.email, package_id: offered_id, name: `Sample ${++made}`, reason: 'A pool of samples' },
    }),
  },
  'backoffice.growPool': {
    access: 'manage_datapools',
    sample: ({ pool_id }) => ({ params: { any_pool_id: pool_id }, body: { bytes: 1_000_000, reason: 'A little more' } }),
  },
  'backoffice.endPool': {
    access: 'manage_datapools',
    sample: ({ pool_id }) => ({ params: { any_pool_id: pool_id }, body: { reason: 'It is over' } }),
  },
}

import type { CallRows } from '../test-calls.ts'

let made = 0
const name = (what: string) => `${what} of samples ${++made}`
const terms = { kind: 'fixed', size_bytes: 1_000_000, validity: { count: 1, unit: 'month' } }

export const calls: CallRows = {
  'datapools.listDataPools': { access: 'datapools.view' },
  'datapools.listPackages': { access: 'datapools.view' },
  'datapools.getDataPool': { access: 'datapools.view', sample: ({ pool_id }) => ({ params: { pool_id } }) },
  'datapools.listPoolSims': { access: 'datapools.view', sample: ({ pool_id }) => ({ params: { pool_id } }) },
  'datapools.buyPackage': {
    access: 'datapools.edit',
    sample: ({ offered_id }) => {
      const body = { package_id: offered_id, name: 'Bought', auto_renew: true }
      return { body, other: { ...body, name: 'Bought too' } }
    },
  },
  'datapools.buyMoreData': { access: 'datapools.edit', sample: ({ bought_pool_id }) => ({ params: { pool_id: bought_pool_id } }) },
  'datapools.updateDataPool': {
    access: 'datapools.edit',
    sample: ({ pool_id }) => ({ params: { pool_id }, body: { priority: 2 }, other: { priority: 3 } }),
  },
  'datapools.addPoolAssets': {
    access: 'datapools.edit',
    sample: ({ pool_id, active, idle }) => ({ params: { pool_id }, body: { assets: [active.id] }, other: { assets: [idle.id] } }),
  },
  'datapools.removePoolAssets': {
    access: 'datapools.edit',
    sample: ({ pool_id, active, idle }) => ({ params: { pool_id }, body: { assets: [active.id] }, other: { assets: [idle.id] } }),
  },
  'datapools.setPoolTags': {
    access: 'datapools.edit',
    sample: ({ pool_id, tag_id }) => ({ params: { pool_id }, body: { tags: [tag_id] }, other: { tags: [] } }),
  },
  'backoffice.listAllPackages': { access: 'manage_datapools' },
  'backoffice.createPackage': {
    access: 'manage_datapools',
    sample: () => ({ body: { name: name('Package'), ...terms }, other: { name: name('Package'), ...terms } }),
  },
  'backoffice.retirePackage': { access: 'manage_datapools', sample: ({ package_id }) => ({ params: { package_id } }) },
  'backoffice.listCustomerPools': { access: 'manage_datapools' },
  'backoffice.openPool': {
    access: 'manage_datapools',
    sample: ({ backoffice, offered_id }) => {
      const body = { account: backoffice.customer, package_id: offered_id, name: name('Pool'), reason: 'A pool of samples' }
      return { body, other: { ...body, name: name('Pool') } }
    },
  },
  'backoffice.growPool': {
    access: 'manage_datapools',
    sample: ({ customer_pool_id }) => {
      const body = { bytes: 1_000_000, reason: 'A little more' }
      return { params: { any_pool_id: customer_pool_id }, body, other: { ...body, bytes: 2_000_000 } }
    },
  },
  'backoffice.endPool': {
    access: 'manage_datapools',
    sample: ({ customer_pool_id }) => ({
      params: { any_pool_id: customer_pool_id },
      body: { reason: 'It is over' },
      other: { reason: 'It ends' },
    }),
  },
}

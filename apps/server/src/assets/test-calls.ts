import type { Sample, Scene } from '../test-samples.ts'
import type { CallRows } from '../test-calls.ts'

const edit = 'assets.edit'
const onActive =
  (body?: unknown, other?: unknown) =>
  ({ active, idle }: Scene): Sample => ({
    params: { asset_id: active.id },
    ...(body !== undefined ? { body, other } : { other: { asset_id: idle.id } }),
  })

/** Who may call what, and with what. */
export const calls: CallRows = {
  'assets.findNumbers': {
    access: 'assets.view',
    sample: ({ active, idle }) => ({ body: { numbers: [active.id] }, other: { numbers: [idle.id] } }),
  },
  'assets.getSim': { access: 'assets.view', sample: ({ active }) => ({ params: { asset_id: active.id } }) },
  'assets.listStays': { access: 'assets.view', sample: ({ active }) => ({ params: { asset_id: active.id } }) },
  'assets.getServiceHistory': { access: 'assets.view', sample: ({ active }) => ({ params: { asset_id: active.id } }) },
  'assets.standbySim': { access: edit, sample: onActive() },
  'assets.readySim': { access: edit, sample: ({ idle, active }) => ({ params: { asset_id: idle.id }, other: { asset_id: active.id } }) },
  'assets.terminateSim': {
    access: edit,
    sample: ({ active }) => ({ params: { asset_id: active.id }, body: { iccid: active.iccid }, other: { iccid: 'another' } }),
  },
  'assets.resetSim': { access: edit, sample: onActive() },
  'assets.setSimLimit': { access: edit, sample: onActive({ bytes: 2e9 }, { bytes: null }) },
  'assets.raiseSimLimit': {
    access: edit,
    sample: ({ limited }) => ({ params: { asset_id: limited.id }, body: { bytes: 3e9 }, other: { bytes: 4e9 } }),
  },
  'assets.setImeiLock': { access: edit, sample: onActive({ mode: 'watch' }, { mode: 'off' }) },
  'assets.acceptDevice': {
    access: edit,
    sample: ({ limited }) => ({ params: { asset_id: limited.id }, body: { alone: true }, other: { alone: false } }),
  },
  'assets.askStaff': { access: edit, sample: onActive({ message: 'Why?' }, { message: 'When?' }) },
  'assets.swapSim': {
    access: edit,
    sample: ({ active, spare }) => ({ params: { asset_id: active.id }, body: { token: spare }, other: { token: 'another' } }),
  },
  'assets.releaseAsset': {
    access: 'assets.register',
    sample: ({ active }) => ({
      params: { asset_id: active.id },
      body: { to: null, serial: active.serial },
      other: { to: 'somebody@example.test', serial: active.serial },
    }),
  },
  'assets.startCsvChange': { access: edit, sample: ({ active }) => ({ body: `asset,name\n${active.id},Named by a file\n` }) },
  'assets.undoBulkChange': { access: edit, sample: ({ bulk_id }) => ({ params: { bulk_id }, other: { bulk_id: 'another' } }) },
  'assets.listViews': { access: 'assets.view' },
  'assets.listViewCounts': { access: 'assets.view' },
  'assets.createView': {
    access: 'assets.view',
    sample: () => ({ body: { name: 'View of samples', q: 'type:core' }, other: { name: 'View of others', q: 'type:core' } }),
  },
  'assets.updateView': {
    access: 'assets.view',
    sample: ({ view_id }) => ({ params: { view_id }, body: { sort: '-usage' }, other: { sort: 'usage' } }),
  },
  'assets.deleteView': { access: 'assets.view', sample: ({ view_id }) => ({ params: { view_id }, other: { view_id: 'another' } }) },
  'assets.listBulkChanges': { access: 'assets.view' },
  'assets.exportBulkResults': { access: 'assets.view', sample: ({ bulk_id }) => ({ params: { bulk_id } }) },
}

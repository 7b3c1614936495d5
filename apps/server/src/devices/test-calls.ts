import type { CallRows } from '../test-calls.ts'

export const calls: CallRows = {
  'devices.getDevice': { access: 'assets.view', sample: ({ device }) => ({ params: { asset_id: device.asset_id } }) },
  'devices.enrolDevice': { access: 'core.edit', sample: ({ device }) => ({ params: { asset_id: device.asset_id }, body: {} }) },
  'devices.configureDevice': {
    access: 'core.edit',
    sample: ({ device }) => ({
      params: { asset_id: device.asset_id },
      body: { apn: 'iot.example' },
      other: { apn: 'other.example' },
    }),
  },
  'devices.withdrawConfig': { access: 'core.edit', sample: ({ device }) => ({ params: device }) },
  'devices.updateDevice': {
    access: 'core.edit',
    sample: ({ device }) => ({ params: { asset_id: device.asset_id }, body: { update: ['manager'] }, other: { update: ['agent'] } }),
  },
}

import type { CallRows } from '../test-calls.ts'
import { makeCertificate } from './broker/own-certificate.ts'

const change = 'assets.edit'
const certificateOf = (name: string) => ({ certificate: makeCertificate([name], Date.now()).cert })
const [certificate, anotherCertificate] = [certificateOf('truck'), certificateOf('other')]

export const calls: CallRows = {
  'devices.getDevice': { access: 'assets.view', sample: ({ device }) => ({ params: { asset_id: device.asset_id } }) },
  'devices.getVitals': {
    access: 'assets.view',
    sample: ({ device }) => ({
      params: { asset_id: device.asset_id },
      query: { from: '2026-11-25T00:00:00Z', to: '2026-11-26T00:00:00Z' },
    }),
  },
  'devices.enrolDevice': { access: 'core.edit', sample: ({ device }) => ({ params: { asset_id: device.asset_id } }) },
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
  'devices.makeClaimCode': { access: change, sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.claimDevice': { access: 'public', sample: ({ agent: { code } }) => ({ body: { code }, other: { code: 'another' } }) },
  'devices.getDesiredState': { access: 'public' },
  'devices.getDeviceStatus': { access: 'assets.view', sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.getMeasurements': { access: 'assets.view', sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.getModem': { access: 'assets.view', sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.getLocation': { access: 'assets.view', sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.getContainerProgress': { access: 'assets.view', sample: ({ agent: { asset_id } }) => ({ params: { asset_id, name: 'relay' } }) },
  'devices.getEsimProgress': { access: 'assets.view', sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.getRegistryLogin': { access: 'public' },
  'devices.getApplication': { access: 'assets.view', sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.deployContainer': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({
      params: { asset_id },
      body: { name: 'sampler', image: 'acme/sampler:1' },
      other: { name: 'other', image: 'acme/other:1' },
    }),
  },
  'devices.updateContainer': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({
      params: { asset_id, name: 'relay' },
      body: { image: 'acme/relay:2' },
      other: { image: 'acme/relay:3' },
    }),
  },
  'devices.deployApp': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({
      params: { asset_id },
      body: { name: 'meter', image: 'acme/meter:1', environments: { MODE: 'fast' } },
      other: { name: 'other', image: 'acme/other:1' },
    }),
  },
  'devices.updateApp': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({
      params: { asset_id, name: 'relay' },
      body: { environments: { MODE: 'slow' } },
      other: { environments: {} },
    }),
  },
  'devices.startContainer': { access: change, sample: ({ agent: { asset_id } }) => ({ params: { asset_id, name: 'idle' } }) },
  'devices.stopContainer': { access: change, sample: ({ agent: { asset_id } }) => ({ params: { asset_id, name: 'relay' } }) },
  'devices.restartContainer': { access: change, sample: ({ agent: { asset_id } }) => ({ params: { asset_id, name: 'relay' } }) },
  'devices.removeContainer': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({ params: { asset_id, name: 'relay' }, other: { asset_id, name: 'idle' } }),
  },
  'devices.requestLogs': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({ params: { asset_id, name: 'relay' }, body: { lines: 10 }, other: { lines: 20 } }),
  },
  'devices.requestAgentLogs': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({ params: { asset_id }, body: { lines: 10 }, other: { lines: 20 } }),
  },
  'devices.getLogs': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({ params: { asset_id, request_id: 'cmd_1' } }),
  },
  'devices.followLogs': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({ params: { asset_id, name: 'relay' }, other: { asset_id, name: 'idle' } }),
  },
  'devices.getFollowedLogs': { access: change, sample: ({ agent: { asset_id } }) => ({ params: { asset_id, name: 'relay' } }) },
  'devices.getNetwork': { access: 'assets.view', sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.getNetworkPriority': { access: 'assets.view', sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.updateNetworkPriority': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({
      params: { asset_id },
      body: { interfaces: ['eth0', 'wwan0'] },
      other: { interfaces: ['wwan0', 'eth0'] },
    }),
  },
  'devices.updateSimAccess': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({ params: { asset_id }, body: { apn: 'iot.example' }, other: { apn: 'other.example' } }),
  },
  'devices.connectWifi': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({
      params: { asset_id },
      body: { ssid: 'depot', password: 'very-secret' },
      other: { ssid: 'yard', password: 'very-secret' },
    }),
  },
  'devices.forgetWifi': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({ params: { asset_id }, body: { ssid: 'office' }, other: { ssid: 'guests' } }),
  },
  'devices.scanWifi': { access: change, sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.getEsim': { access: 'assets.view', sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.addEsimProfile': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({
      params: { asset_id },
      body: { act_code: 'LPA:1$smdp.example.com$ONE' },
      other: { act_code: 'LPA:1$smdp.example.com$TWO' },
    }),
  },
  'devices.updateActiveEsim': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({
      params: { asset_id },
      body: { iccid: '8931440400002815534' },
      other: { iccid: '8931440400002815535' },
    }),
  },
  'devices.deleteEsimProfile': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({
      params: { asset_id },
      body: { iccid: '8931440400002815534' },
      other: { iccid: '8931440400002815535' },
    }),
  },
  'devices.withdrawEsimJob': { access: change, sample: ({ limited }) => ({ params: { asset_id: limited.id } }) },
  'devices.retryNetwork': { access: change, sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.rebootDevice': { access: change, sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.getAgentRules': { access: 'assets.view' },
  'devices.updateAgentRules': {
    access: change,
    sample: () => ({
      body: { enabled: true, window: null },
      other: { enabled: true, window: { days: [1], from_minute: 60, to_minute: 120, timezone: 'UTC' } },
    }),
  },
  'devices.getAgent': { access: 'assets.view', sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.setCertificate': {
    access: change,
    sample: ({ agent: { asset_id } }) => ({ params: { asset_id }, body: certificate, other: anotherCertificate }),
  },
  'devices.removeCertificate': { access: change, sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'devices.updateAgent': { access: change, sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
}

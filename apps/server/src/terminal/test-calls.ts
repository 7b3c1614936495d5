import type { CallRows } from '../test-calls.ts'

export const calls: CallRows = {
  'terminal.openTerminal': {
    access: 'terminal.open',
    sample: ({ terminal: { asset_id } }) => ({ params: { asset_id }, body: { cols: 80, rows: 24 }, other: { cols: 100, rows: 30 } }),
  },
  'terminal.joinTerminal': {
    access: 'terminal.open',
    sample: ({ terminal: { open_id } }) => ({ params: { terminal_id: open_id }, body: {}, other: { code: 'another code' } }),
  },
  'terminal.getAccessCode': { access: 'terminal.open', sample: ({ active }) => ({ params: { asset_id: active.id } }) },
  'terminal.getDeviceAccessCode': { access: 'terminal.open', sample: ({ agent: { asset_id } }) => ({ params: { asset_id } }) },
  'terminal.updateAccessCode': {
    access: 'profile.edit',
    sample: ({ active }) => ({ params: { asset_id: active.id }, body: { code: 'open sesame' }, other: { code: 'another code' } }),
  },
  'terminal.removeAccessCode': {
    access: 'profile.edit',
    sample: ({ terminal: { coded_asset_id }, active }) => ({ params: { asset_id: coded_asset_id }, other: { asset_id: active.id } }),
  },
  'terminal.listTerminals': { access: 'terminal.open' },
  'terminal.getTerminal': { access: 'terminal.open', sample: ({ terminal: { id } }) => ({ params: { terminal_id: id } }) },
  'terminal.endTerminal': {
    access: 'terminal.open',
    sample: ({ terminal: { id, open_id } }) => ({ params: { terminal_id: open_id }, other: { terminal_id: id } }),
  },
  'terminal.exportRecording': { access: 'terminal.recordings', sample: ({ terminal: { id } }) => ({ params: { terminal_id: id } }) },
  'terminal.listSupport': { access: 'terminal.open' },
  'terminal.allowSupport': {
    access: 'support.grant',
    sample: ({ support: { asked_id } }) => ({ params: { support_id: asked_id }, body: { minutes: 60 }, other: { minutes: 15 } }),
  },
  'terminal.refuseSupport': {
    access: 'support.grant',
    sample: ({ support: { asked_id } }) => ({ params: { support_id: asked_id }, body: { words: 'Not now' }, other: {} }),
  },
  'terminal.endSupport': {
    access: 'terminal.open',
    sample: ({ support: { allowed_id, asked_id } }) => ({ params: { support_id: allowed_id }, other: { support_id: asked_id } }),
  },
  'terminal.getSupportConsent': { access: 'terminal.open' },
  'terminal.updateSupportConsent': { access: 'profile.edit', sample: () => ({ body: { standing: true }, other: { standing: false } }) },

  'terminal.openTunnel': {
    access: 'tunnels.open',
    sample: ({ terminal: { asset_id } }) => ({
      params: { asset_id },
      body: { port: 22, address: null, sources: ['203.0.113.0/24'], minutes: 60 },
      other: { port: 80, address: null, sources: ['203.0.113.0/24'], minutes: 60 },
    }),
  },
  'terminal.listTunnels': { access: 'tunnels.open' },
  'terminal.getTunnel': { access: 'tunnels.open', sample: ({ tunnel: { id } }) => ({ params: { tunnel_id: id } }) },
  'terminal.listTunnelConnections': { access: 'tunnels.open', sample: ({ tunnel: { id } }) => ({ params: { tunnel_id: id } }) },
  'terminal.revokeTunnel': {
    access: 'tunnels.open',
    sample: ({ tunnel: { id } }) => ({ params: { tunnel_id: id }, other: { tunnel_id: 'tun_another' } }),
  },
  'terminal.getTunnelRules': { access: 'tunnels.open' },
  'terminal.updateTunnelRules': { access: 'profile.edit', sample: () => ({ body: { beside: true }, other: { beside: false } }) },
}

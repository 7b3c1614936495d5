import type { CallRows } from '../test-calls.ts'

const reason = 'A ticket'

export const calls: CallRows = {
  'backoffice.listStaffSupport': { access: 'backoffice' },
  'backoffice.askSupport': {
    access: 'manage_support',
    sample: ({ supported: { other_asset_id } }) => ({
      params: { any_asset_id: other_asset_id },
      body: { reason, minutes: 60 },
      other: { reason, minutes: 15 },
    }),
  },
  'backoffice.leaveSupport': {
    access: 'manage_support',
    sample: ({ supported: { allowed_id, asked_id } }) => ({ params: { any_support_id: allowed_id }, other: { any_support_id: asked_id } }),
  },
  'backoffice.openSupportTerminal': {
    access: 'manage_support',
    sample: ({ supported: { allowed_id } }) => ({
      params: { any_support_id: allowed_id },
      body: { cols: 80, rows: 24 },
      other: { cols: 100, rows: 30 },
    }),
  },
  'backoffice.getSupportTerminal': {
    access: 'manage_support',
    sample: ({ supported: { allowed_id, terminal_id } }) => ({ params: { any_support_id: allowed_id, any_terminal_id: terminal_id } }),
  },
}

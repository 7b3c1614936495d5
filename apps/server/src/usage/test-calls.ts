import type { CallRows } from '../test-calls.ts'

export const calls: CallRows = {
  'usage.listNetworkUsage': { access: 'usage.view' },
  'usage.getUsageSums': { access: 'usage.view' },
  'usage.listEmptySessions': { access: 'usage.view' },
  'usage.listSilentSims': { access: 'usage.view' },
}

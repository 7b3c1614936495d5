import type { CallRows } from '../test-calls.ts'

export const calls: CallRows = {
  'registry.getRegistry': { access: 'registry.view' },
  'registry.listRepositories': { access: 'registry.view' },
}

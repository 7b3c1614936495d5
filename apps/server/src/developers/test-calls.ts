import type { CallRows } from '../test-calls.ts'

export const calls: CallRows = {
  'developers.getStream': { access: 'usage.view' },
}

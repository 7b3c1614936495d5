import type { CallRows } from '../test-calls.ts'

export const calls: CallRows = {
  'overview.getVerdict': { access: 'overview.view' },
  'overview.getStrip': { access: 'overview.view' },
  'overview.getPlaces': { access: 'overview.view' },
}

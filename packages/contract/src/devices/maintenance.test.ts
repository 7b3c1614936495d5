import { expect, test } from 'vitest'
import { commandWaits, maintenanceState, stallsAfter, type Maintenance } from './maintenance.ts'

const asked: Maintenance = {
  services: ['manager', 'agent'],
  beta: false,
  by: 'ada@example.com',
  requested_at: '2026-11-25T10:00:00.000Z',
  versions: { manager: '1.8.2', agent: null },
  status: null,
  status_at: null,
}
const at = Date.parse(asked.requested_at)
const before = { manager_version: '1.8.2' }

test('an update that the device does not answer waits while it may be asked, and no longer', () => {
  expect(maintenanceState(asked, before, at + commandWaits)).toBe('waiting')
  expect(maintenanceState(asked, before, at + commandWaits + 1)).toBe('unanswered')
})

test('one that it answers is what it says, until it says nothing more for too long', () => {
  // It was asked at the end of the day.
  const answered: Maintenance = { ...asked, status: 'download_manager', status_at: new Date(at + commandWaits).toISOString() }
  const later = at + commandWaits + stallsAfter
  expect(maintenanceState(answered, before, later)).toBe('downloading')
  expect(maintenanceState({ ...answered, status: 'restart_agent' }, before, later)).toBe('restarting')
  expect(maintenanceState({ ...answered, status: 'unknown' }, before, later)).toBe('unclear')
  expect(maintenanceState(answered, before, later + 1)).toBe('stalled')
})

test('other versions of all services mean that it is done, however late, and one of two does not', () => {
  const long = at + 30 * commandWaits
  expect(maintenanceState(asked, { manager_version: '1.9.0', agent_version: '2.0.0' }, long)).toBe('done')
  expect(maintenanceState(asked, { manager_version: '1.9.0' }, long)).toBe('unanswered')
})

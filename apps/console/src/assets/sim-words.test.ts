import type { Sim } from '@masthead/contract/assets/sim'
import { expect, test } from 'vitest'
import { blockLine, simLine, simRefusal } from './sim-words.ts'
import { block, disconnect, now, session, sim } from './test-sims.ts'

const line = (one: Sim, online = false, last_seen_at: string | null = '2026-11-21T11:00:00Z') =>
  simLine({ sim: one, online, last_seen_at }, now)

test.each([
  ['online', sim('active'), true, 'Online'],
  ['offline', sim('active'), false, 'Offline'],
  ['refused', sim('active', { refused: { at: '2026-11-21T11:00:00Z', words: 'France is not allowed' } }), false, 'Refused'],
  ['ready', sim('ready'), false, 'Active when it connects'],
  ['standby', sim('standby'), false, 'Active when it connects'],
  ['inactive', sim('inactive'), false, 'By m.vries, 3 d ago'],
  ['inactive, not yet cut', sim('inactive', { session: session() }), true, 'Its session is being cut'],
  ['inactive, not cut', sim('inactive', { session: session({ disconnect: disconnect('nak') }) }), true, 'Its session goes on'],
  ['data limit', sim('active', { blocks: [block('data_limit')] }), false, 'Data limit, to 1 Dec'],
  [
    'data limit of the day',
    sim('active', { blocks: [block('data_limit')], usage: { ...sim('active').usage, limit_period: 'day' } }),
    false,
    'Data limit, to 00:00 UTC',
  ],
  ['held', sim('active', { blocks: [block('staff')] }), false, 'Held by staff, 20 Nov'],
])('the line below the status: %s', (_, one, online, words) => {
  expect(line(one, online)).toBe(words)
})

test.each([
  ['group', 'Network not allowed'],
  [null, 'Network not allowed'],
  ['pool', 'No pool data here'],
  ['balance', 'No credits left here'],
  ['price', 'Data costs too much here'],
] as const)('a session that is cut for where it is (%s) does not read as one in order', (forbidden_by, words) => {
  expect(line(sim('active', { session: session({ forbidden: 'It is cut', forbidden_by }) }), true)).toBe(words)
})

test('a SIM that was never seen, and one with two blocks', () => {
  expect(line(sim('active'), false, null)).toBe('Never seen')
  expect(blockLine(sim('active', { blocks: [block('balance'), block('staff')] }))).toBe('No credits left +1')
})

test.each([
  ['activate', 'active', 'This SIM is active already'],
  ['activate', 'inactive', null],
  ['deactivate', 'inactive', 'This SIM is inactive already'],
  ['deactivate', 'standby', null],
  ['activate', 'terminated', 'This SIM is terminated permanently'],
] as const)('%s when %s', (action, state, words) => {
  expect(simRefusal(action, { state, activated_at: null })).toBe(words)
})

test('an asset without a SIM refuses in its own words', () => {
  expect(simRefusal('activate', null)).toBe('This asset has no SIM')
})

import type { DisconnectOutcome } from '@masthead/contract/assets/sim'
import { expect, test } from 'vitest'
import { cutAfter, disconnectWords, latencyWords, networkWords, sessionLength } from './session-words.ts'

const outcome = (over: Partial<DisconnectOutcome>): DisconnectOutcome => ({
  requested_at: '2026-11-21T12:00:00.000Z',
  answered_at: null,
  attempts: 1,
  answer: null,
  words: '',
  ...over,
})

test.each([
  [{ answer: 'ack', answered_at: '2026-11-21T12:00:00.640Z' }, 'done', 'Session cut: confirmed by the gateway after 640 ms'],
  [{ answer: 'gone', answered_at: '2026-11-21T12:00:01Z' }, 'done', 'Session cut: the gateway had ended it already'],
  [
    { answer: 'nak', words: 'administratively prohibited' },
    'failed',
    'The gateway refused to cut the session: administratively prohibited',
  ],
  [{ answer: 'timeout', attempts: 6 }, 'failed', 'The gateway did not answer, asked 6 times to cut the session'],
  [{}, 'busy', 'Cutting the session: waiting for the gateway'],
  [{ attempts: 3 }, 'busy', 'Cutting the session: asked 3 times, no answer from the gateway yet'],
] as const)('%j', (over, is, words) => {
  expect(disconnectWords(outcome(over))).toMatchObject({ is, words })
})

test('a session that a gateway refused to end was not cut, however soon it said so', () => {
  const answered = (answer: DisconnectOutcome['answer']) => outcome({ answer, answered_at: '2026-11-21T12:00:03Z' })
  expect((['ack', 'gone', 'nak'] as const).map((answer) => cutAfter(answered(answer), '2026-11-21T12:00:00Z'))).toEqual([3000, 3000, null])
  expect(cutAfter(answered('ack'), '2026-11-21T12:00:04Z')).toBe(0)
  expect(cutAfter(outcome({}), '2026-11-21T12:00:00Z')).toBeNull()
})

test('latencies', () => {
  expect(latencyWords(0)).toBe('0 ms')
  expect(latencyWords(999)).toBe('999 ms')
  expect(latencyWords(61_000)).toBe('1 min 1 s')
})

test('networks by their name, else by their number', () => {
  const kpn = { mccmnc: '204-08', name: 'KPN', country: 'NL' }
  expect(networkWords({ network: kpn, rat: 'NR' })).toBe('KPN · 5G')
  expect(networkWords({ network: { ...kpn, name: null }, rat: 'NB-IoT' })).toBe('204-08 · NB-IoT')
  expect(networkWords({ network: null, rat: null })).toBeNull()
})

test('a session that has ended has a length that stays', () => {
  const started_at = '2026-11-21T06:00:00Z'
  expect(sessionLength({ started_at, ended_at: '2026-11-21T07:30:00Z' }, Date.parse('2026-11-22T00:00:00Z'))).toBe('1 h 30 min')
  expect(sessionLength({ started_at, ended_at: null }, Date.parse('2026-11-21T06:00:09Z'))).toBe('9 s')
})

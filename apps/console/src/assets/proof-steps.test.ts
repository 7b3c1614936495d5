import type { EnforcementProof } from '@masthead/contract/assets/enforcement'
import { expect, test } from 'vitest'
import { limitWords, proofSteps } from './proof-steps.ts'

const at = '2026-11-21T10:00:00.000Z'
const proof = {
  limit_bytes: 1000,
  limit_period: 'term',
  group_name: null,
  pool: { id: 'pool_1', name: 'Europe' },
  reached_at: at,
  by_change: false,
  used_bytes: 1040,
  record: { event_at: at, received_at: at, session_id: 'ses_1', bytes: 5 },
  session: null,
  decision: null,
  chain: null,
  rejected: 0,
  asked_at: null,
  cut_at: at,
  overshoot_bytes: 5,
  lifted_at: null,
} as EnforcementProof
const words = (of: EnforcementProof) => proofSteps(of).map(({ title, words: said }) => `${title}: ${said}`)

test('the record of a SIM of a pool is its last one, and need not be the one that used the pool up', () => {
  expect(words(proof)[1]).toBe(
    'Its last record: 5 B more. All SIMs of the data pool had taken 1,040 B of it by then: the record that used it up may be another SIM’s.'
  )
  expect(words({ ...proof, pool: null, limit_period: 'month' })[1]).toBe('The last record: 5 B more. Counted: 1,040 B.')
})

test('where no session was cut and nothing was rejected for it, that is said', () => {
  expect(words(proof).slice(3)).toEqual([
    'No Disconnect-Request: No session was open, or it ended by itself.',
    'The final count: In all 5 B (5 B) beyond the limit.',
    'New attempts: None was rejected for it since.',
  ])
})

test('credits are no number of bytes: the decision is shown, and what was used after it', () => {
  const said = words({ ...proof, pool: null, limit_period: 'credits', limit_bytes: 0, used_bytes: 0 })
  expect(said.slice(0, 3)).toEqual([
    'The limit: The credits of the account: they were used up, and the next byte of this SIM would be charged.',
    'Its last record: 5 B more.',
    'The decision: No credits were left: SIMs whose next byte would be charged are blocked, code balance. Written in the row of the account’s charges.',
  ])
  expect(said).toContain('The final count: In all 5 B (5 B) beyond the decision.')
  expect(limitWords({ limit_bytes: 0, limit_period: 'credits' })).toBe('No credits left')
})

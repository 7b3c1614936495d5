import { expect, test } from 'vitest'
import { block, disconnect, session, sim } from '../test-sims.ts'
import { askedWords, whyAsked } from './ask-words.ts'

test('support reads each reason once', () => {
  expect(askedWords({ code: 'state', words: 'Inactive' })).toBe('the SIM is inactive')
  expect(askedWords({ code: 'staff', words: 'Unusual traffic' })).toBe('held by staff (Unusual traffic)')
  expect(askedWords({ code: 'staff', words: 'Held by staff: unusual traffic' })).toBe('held by staff: unusual traffic')
})

test('support is told how a SIM is refused until it is in a session, and then why that is cut', () => {
  const refused = { by: 'network' as const, words: null, count: 3, last_at: '2026-11-21T11:00:00Z', pool_id: null }
  expect(whyAsked(sim('active'), refused)).toEqual(['access is refused'])
  expect(whyAsked(sim('active'), { ...refused, by: 'group', words: 'France is not allowed' })).toEqual([
    'access is refused (France is not allowed)',
  ])
  expect(whyAsked(sim('active', { session: session() }), refused)).toEqual([])
  expect(whyAsked(sim('active', { session: session({ forbidden: 'France is not allowed' }) }), refused)).toEqual([
    'its session is cut (France is not allowed)',
  ])
  expect(whyAsked(sim('active', { blocks: [block('staff')] }), { ...refused, by: 'held' })).toEqual(['held by staff (It is staff)'])
  // A reset that was refused takes no service.
  const refusing = session({ disconnect: disconnect('nak', 'Administratively prohibited (501)') })
  expect(whyAsked(sim('active', { session: refusing }), null)).toEqual([])
  expect(whyAsked(sim('active', { blocks: [block('staff')], session: refusing }), null)).toEqual([
    'held by staff (It is staff)',
    'its session goes on, as its gateway refused to end it (Administratively prohibited (501))',
  ])
})

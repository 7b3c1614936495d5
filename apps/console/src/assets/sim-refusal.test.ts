import type { BlockCode } from '@masthead/contract/assets/sim'
import { expect, test } from 'vitest'
import { simRefusal } from './sim-words.ts'

const active = (code: BlockCode) => ({ state: 'active', activated_at: null, blocks: [{ code }] }) as const

test('an active SIM that a rule blocks can be activated, which takes that block off', () => {
  expect(simRefusal('activate', active('rule'))).toBeNull()
  expect(simRefusal('activate', active('staff'))).toBe('This SIM is active already')
})

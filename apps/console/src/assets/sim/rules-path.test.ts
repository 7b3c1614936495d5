import { expect, test } from 'vitest'
import { rulesPath } from './rules-path.ts'

const since = { since: '2026-11-20T09:00:00Z', by: 'system', words: 'It is held', clears: 'Later' }

test('what a rule holds leads to that rule, or to all where it does not say which', () => {
  const staff = { ...since, code: 'staff' as const }
  const rule = { ...since, code: 'rule' as const }
  expect(rulesPath({ blocks: [staff, { ...rule, rule_id: 'rul_1' }] })).toBe('/notifications?tab=rules&rule=rul_1')
  expect(rulesPath({ blocks: [staff, rule] })).toBe('/notifications?tab=rules')
  expect(rulesPath(null)).toBe('/notifications?tab=rules')
})

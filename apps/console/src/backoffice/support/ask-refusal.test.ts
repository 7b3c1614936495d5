import { expect, test } from 'vitest'
import { askRefusal } from './ask-refusal.ts'

test('a terminal is asked for where there is a device to open it on', () => {
  expect(askRefusal({ presence: 'online', cut_at: null })).toBeNull()
  // It may come back before the customer answers.
  expect(askRefusal({ presence: 'offline', cut_at: null })).toBeNull()
  expect(askRefusal(null)).toContain('No device')
  expect(askRefusal({ presence: 'never', cut_at: null })).toContain('No device')
  expect(askRefusal({ presence: 'offline', cut_at: '2026-11-21T14:31:48.000Z' })).toContain('is refused')
})

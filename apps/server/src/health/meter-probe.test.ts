import { expect, test } from 'vitest'
import { openMeterProbe } from './meter-probe.ts'

const up = { isUp: () => true, tooOften: () => 0 }

test.each([
  ['commits', '', null],
  ['cannot commit, and says why', 'The meter cannot commit', 'The meter cannot commit'],
  ['gives no answer', undefined, 'The meter does not answer'],
])('a meter that is up and %s', async (_, answer, words) => {
  expect(await openMeterProbe({ ...up, ask: async () => answer })()).toBe(words)
})

test('one that is not up is not asked', async () => {
  const ask = () => Promise.reject(new Error('asked'))
  expect(await openMeterProbe({ ...up, isUp: () => false, ask })()).toBe('The meter is not up')
})

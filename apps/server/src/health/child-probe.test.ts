import { expect, test } from 'vitest'
import { openChildProbe } from './child-probe.ts'

const up = { isUp: () => true, tooOften: () => 0 }

test.each([
  ['does its work', '', null],
  ['does not, and says why', 'The meter cannot commit', 'The meter cannot commit'],
  ['gives no answer', undefined, 'The meter does not answer'],
])('a process that is up and %s', async (_, answer, words) => {
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return answer
  }
  expect(await openChildProbe('The meter', { ...up, ask }, 'why_no_commit')()).toBe(words)
  expect(asked).toEqual(['why_no_commit'])
})

test('one that is not up is not asked', async () => {
  const ask = () => Promise.reject(new Error('asked'))
  expect(await openChildProbe('The broker', { ...up, isUp: () => false, ask }, 'why_idle')()).toBe('The broker is not up')
})

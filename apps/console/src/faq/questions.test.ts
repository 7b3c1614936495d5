import { expect, test } from 'vitest'
import { findQuestions } from './find-questions.ts'
import { questionGroups } from './questions.ts'

const ids = (search: string) => findQuestions(search).flatMap(({ questions }) => questions.map(({ id }) => id))
const all = questionGroups.flatMap(({ questions }) => questions)

test('without a search all are shown, and each has its own name and an answer', () => {
  expect(ids('  ')).toEqual(all.map(({ id }) => id))
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  for (const { question, answer } of all)
    expect([question.endsWith('?') || question.includes('? '), answer.length > 0]).toEqual([true, true])
})

test.each([
  ['blocked SIM', 'blocked'],
  ['2FA', 'second-factor'],
  ['apn', 'apn'],
  ['excel', 'export'],
  ['hash chain', 'proof'],
  ['somebody elses', 'lacking'],
])('“%s” finds %s', (search, id) => expect(ids(search)).toContain(id))

test('every word has to be there, and nothing found is nothing', () => {
  expect(ids('blocked helicopter')).toEqual([])
})

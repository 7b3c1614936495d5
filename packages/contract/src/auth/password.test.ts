import { expect, test } from 'vitest'
import { passwordProblem } from './password.ts'

test.each([
  ['', /at least 10/],
  ['ninechars', /at least 10/],
  ['x'.repeat(201), /at most 200/],
  ['Password123', /commonest/],
  ['1234567890', /commonest/],
  ['aaaaabbbbbaaa', /three different/],
  ['Masthead-2026!', /too easy/],
  ['Welcome2026!!', /too easy/],
  ['simcard.admin.1', /too easy/],
  ['ann.lee@example.test', /e-mail/],
  ['ANN.LEE@example.test', /e-mail/],
])('%.20s is refused', (password, words) => {
  expect(passwordProblem(password, { email: 'ann.lee@example.test' })).toMatch(words)
})

test('one’s mailbox name is no password where it is long enough to be one', () => {
  expect(passwordProblem('anneliese.lee', { email: 'anneliese.lee@example.test' })).toMatch(/e-mail/)
})

test.each(['correct horse battery', 'abcd efgh ijkl', 'пароль-длинный', 'x y z w x y', 'ann.lee-and-more', 'welcome to the dome'])(
  '%s is taken, without character puzzles',
  (password) => {
    expect(passwordProblem(password, { email: 'ann.lee@example.test' })).toBeNull()
  }
)

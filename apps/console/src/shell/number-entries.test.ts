import { expect, test } from 'vitest'
import { numberEntries } from './number-entries.ts'

/** A window whose history stands at one entry. */
function windowAt(state: unknown) {
  let typed = () => {}
  const history = {
    state,
    replaceState: (next: unknown) => {
      history.state = next
    },
  }
  const entryShown = numberEntries({
    history,
    addEventListener: (_type, listener) => {
      typed = listener
    },
  })
  /** The browser goes to an entry: a typed one has no state. */
  const pop = (to: unknown = null) => {
    history.state = to
    typed()
  }
  return { history, pop, entryShown }
}

test('a typed entry follows the one that is shown, and is told apart from another', () => {
  const { history, pop } = windowAt({ idx: 4, key: 'a' })
  pop()
  const first = history.state as { idx: number; key: string }
  expect(first.idx).toBe(5)
  pop()
  const second = history.state as { idx: number; key: string }
  expect(second.idx).toBe(6)
  expect(second.key).not.toBe(first.key)
})

test('it follows where the router went since', () => {
  const { history, pop, entryShown } = windowAt({ idx: 0 })
  history.state = { idx: 3, key: 'pushed' }
  entryShown()
  pop()
  expect(history.state).toMatchObject({ idx: 4 })
})

test('it follows the entry that Back led to', () => {
  const { history, pop } = windowAt({ idx: 7 })
  pop({ idx: 2, key: 'old' })
  expect(history.state).toEqual({ idx: 2, key: 'old' })
  pop()
  expect(history.state).toMatchObject({ idx: 3 })
})

test('a first page without a number is the first', () => {
  const { history, pop } = windowAt(null)
  pop()
  expect(history.state).toMatchObject({ idx: 1 })
})

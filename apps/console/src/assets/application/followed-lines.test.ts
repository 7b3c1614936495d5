import { expect, test } from 'vitest'
import type { LogPart } from '@masthead/contract/devices/agent/messages'
import { joinParts, mostKept } from './followed-lines.ts'

const part = (from: number, texts: string[], more: Partial<LogPart> = {}): LogPart => ({
  container: 'relay',
  run: '1',
  from,
  skipped: 0,
  lines: texts.map((text) => ({ at: null, stream: 'stdout', text })),
  ended: false,
  words: null,
  ...more,
})

test('parts that come again change nothing; what was left out and why it ended are said; the oldest go', () => {
  const first = joinParts([], [part(0, ['a', 'b'])])
  const next = joinParts(first, [
    part(0, ['a', 'b']),
    part(5, ['f'], { skipped: 3 }),
    part(6, [], { ended: true, words: 'The container has ended' }),
  ])
  expect(next.map(({ text }) => text)).toEqual(['a', 'b', '3 lines were written too fast to be sent', 'f', 'The container has ended'])
  expect(joinParts(next, [part(5, ['f'], { skipped: 3 })])).toEqual(next)
  expect(joinParts([], [part(0, ['a']), part(0, ['b'], { run: '2' })]).map(({ text }) => text)).toEqual([
    'a',
    'It was followed anew from here on',
    'b',
  ])
  const many = Array.from({ length: 60 }, (_, i) =>
    part(
      i * 40,
      Array.from({ length: 40 }, (_all, n) => `${i * 40 + n}`)
    )
  )
  const kept = joinParts([], many)
  expect([kept.length, kept.at(-1)!.text]).toEqual([mostKept, '2399'])
})

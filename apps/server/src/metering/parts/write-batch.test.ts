import { expect, test } from 'vitest'
import { BatchChanges } from '../batch-changes.ts'
import { parts } from './write-batch.ts'

test('no part gives a value by the name of another part’s, in the one statement that they share', () => {
  const at = new Date(0)
  const changes = new BatchChanges({ today: '1970-01-01', at, now: at, over: [] })
  const names = parts.flatMap(({ gather }) => Object.keys(gather?.(changes).values ?? {}))
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

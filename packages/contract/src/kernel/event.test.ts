import { expect, test } from 'vitest'
import { eventKinds } from '../events.ts'
import * as z from 'zod/mini'
import { event, sentenceOf, sentenceParts } from './event.ts'

const renamed = event({
  name: 'assets.asset_renamed',
  refreshes: ['assets'],
  detail: z.object({ old_name: z.string(), new_name: z.nullable(z.string()) }),
  sentence: 'Renamed {old_name} to {new_name}',
})

test('a sentence is plain words and the values of its detail', () => {
  expect(sentenceParts(renamed, renamed.name, { old_name: '<b>A</b>', new_name: 'B' })).toEqual([
    { text: 'Renamed ', strong: false },
    { text: '<b>A</b>', strong: true },
    { text: ' to ', strong: false },
    { text: 'B', strong: true },
  ])
  expect(sentenceOf(renamed, renamed.name, { old_name: 'A', new_name: null })).toBe('Renamed A to —')
})

test('braces in a value are words of that value', () => {
  expect(sentenceOf(renamed, renamed.name, { old_name: '{new_name}', new_name: 'B' })).toBe('Renamed {new_name} to B')
})

test('a count has its thousands apart, a number that is a name stays as it is', () => {
  const loaded = event({
    name: 'assets.assets_loaded',
    refreshes: [],
    detail: z.object({ count: z.int(), file: z.string(), version: z.int() }),
    sentence: 'Loaded {count} assets from {file}, version {version}',
  })
  expect(sentenceParts(loaded, loaded.name, { count: 12_000, file: '12000', version: 1000 })).toEqual([
    { text: 'Loaded ', strong: false },
    { text: '12,000', strong: true },
    { text: ' assets from ', strong: false },
    { text: '12000', strong: true },
    { text: ', version ', strong: false },
    { text: '1000', strong: true },
  ])
  expect(sentenceOf(loaded, loaded.name, { count: 999, file: 'a', version: 1 })).toBe('Loaded 999 assets from a, version 1')
})

test('several are named one after the other', () => {
  const grouped = event({
    name: 'backoffice.groups_changed',
    refreshes: ['auth'],
    detail: z.object({ groups: z.array(z.string()) }),
    sentence: 'Put into the groups {groups}',
  })
  expect(sentenceOf(grouped, grouped.name, { groups: ['beta', 'pilot'] })).toBe('Put into the groups beta, pilot')
})

test('an event nobody knows has the fallback of the specification', () => {
  expect(sentenceOf(undefined, 'core.exploded', {})).toBe('Performed action core.exploded')
})

test('every event is named after its area and speaks of fields it has', () => {
  for (const [name, kind] of eventKinds) {
    expect(name).toMatch(/^[a-z_]+\.[a-z0-9_]+$/)
    const { properties = {} } = z.toJSONSchema(kind.detail) as { properties?: object }
    const template = typeof kind.sentence === 'string' ? kind.sentence : ''
    for (const [, field] of template.matchAll(/\{(\w+)\}/g)) expect(Object.keys(properties), name).toContain(field)
  }
  expect(eventKinds.size).toBeGreaterThan(10)
})

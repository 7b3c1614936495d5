import type { ServiceHistory, ServiceSpan } from '@masthead/contract/assets/past/history-operations'
import { expect, test } from 'vitest'
import { changesOf, pastService } from './past-moments.ts'

const hour = (at: number) => new Date(Date.UTC(2026, 10, 1, at)).toISOString()
const span = (from: number, until: number, over: Partial<ServiceSpan> = {}): ServiceSpan => ({
  from: hour(from),
  until: hour(until),
  state: 'active',
  state_since: hour(-5),
  state_by: 'ada@example.test',
  blocks: [],
  ...over,
})
const limit = { code: 'data_limit' as const, since: hour(4), words: '1 GB of 1 GB used', unsure: false }
const history: ServiceHistory = {
  from: hour(0),
  until: hour(20),
  begins: 'days',
  spans: [
    span(0, 2, { state: null, state_since: null, state_by: null }),
    span(2, 4),
    span(4, 8, { blocks: [limit] }),
    span(8, 12, { state: 'inactive' }),
    span(12, 20, { blocks: [{ ...limit, code: 'staff', unsure: true }] }),
  ],
  marks: [{ at: hour(3), words: 'Limit set to 1 GB a month' }],
  network_from: hour(1),
  refused: null,
  sessions: [{ from: hour(2), until: hour(4), network: { mccmnc: '204-08', name: 'KPN', country: 'NL' }, rat: null, imei: null }],
  refusals: [{ first_at: hour(5), last_at: hour(6), count: 14, words: 'Data limit reached', network: null }],
}
const at = (time: number) => pastService(history, Date.parse(hour(time)), false)
const path = (time: number) =>
  at(time)
    .steps.map(({ id, is }) => `${id}:${is}`)
    .join(' ')

test('each time has its own path, with the break where it stood', () => {
  expect(path(3)).toBe('state:met account:met staff:met device:met limit:met network:met')
  expect(path(5)).toBe('state:met account:met staff:met device:met limit:broken network:broken')
  expect(path(9)).toBe('state:broken account:off staff:off device:off limit:off network:off')
  expect([3, 5, 9].map((time) => at(time).tone)).toEqual(['ok', 'bad', 'bad'])
})

test('what is not kept is said, and nothing claimed', () => {
  expect(path(0.5)).toContain('state:unknown')
  expect(at(0.5).steps.at(-1)).toMatchObject({ is: 'unknown', note: 'not kept' })
  expect(at(0.5).title).toContain('whether this SIM had service is not kept')
  expect(at(13).steps.find(({ id }) => id === 'staff')).toMatchObject({ is: 'unknown' })
  expect(at(13).words[1]).toContain('when it was lifted is not kept')
})

test('the limit of that time, and what broke next, are shown', () => {
  const { steps, words, title } = at(3)
  expect(title).toContain('this SIM had service')
  expect(steps.find(({ id }) => id === 'limit')!.note).toBe('Limit set to 1 GB a month')
  expect(words.at(-1)).toContain('The next step to break was data limit reached')
  expect(at(5).steps.at(-1)!.note).toBe('14 times: Data limit reached')
})

test('the look back stops at what changed', () => {
  expect(changesOf(history).map((time) => (time - Date.parse(hour(0))) / 3_600_000)).toEqual([2, 3, 4, 8, 12])
})

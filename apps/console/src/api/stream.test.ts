import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { throttleByArea } from './live.ts'
import { stream } from './stream.ts'

const heard: unknown[] = []
const failed: unknown[] = []
const listen = (more: Partial<Parameters<typeof stream>[1]> = {}) =>
  stream('/v1/x', { onMessage: (event, data) => heard.push([event, data]), onError: (failure) => failed.push(failure), ...more })
const answer = (body: BodyInit, init: ResponseInit = {}) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(new Response(body, init)))
  )
const events = { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }

beforeEach(() => {
  heard.length = 0
  failed.length = 0
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('stream (spec §7)', () => {
  test('passes on names and parsed data of events', async () => {
    answer('event: done\ndata: {"row":1}\n\n: a comment\n\ndata: plain\n\n', events)
    await listen()
    expect(heard).toEqual([
      ['done', { row: 1 }],
      ['message', { msg: 'plain' }],
    ])
  })
  test('parses the JSON body of another answer', async () => {
    answer('{"a":1}', { headers: { 'content-type': 'application/json' } })
    await listen()
    expect(heard).toEqual([['message', { a: 1 }]])
  })
  test.each([
    ['{"detail":"no"}', { detail: 'no' }],
    ['gone', { msg: 'gone' }],
  ])('a failed answer %s is reported', async (text, data) => {
    answer(text, { status: 503 })
    await listen()
    expect([heard, failed]).toEqual([[], [{ status: 503, data }]])
  })
  test('sends its method, query and JSON body', async () => {
    answer('{}')
    await listen({ method: 'POST', query: { a: 'b c' }, body: { c: 1 } })
    expect(vi.mocked(fetch).mock.calls[0]).toEqual([
      '/v1/x?a=b+c',
      { method: 'POST', credentials: 'include', body: '{"c":1}', headers: { 'Content-Type': 'application/json' } },
    ])
  })
  test('no response is 500 INTERNAL_SERVER_ERROR; an aborted one is nothing', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    await listen()
    expect(failed).toEqual([{ status: 500, data: { msg: 'INTERNAL_SERVER_ERROR' } }])
    await listen({ signal: AbortSignal.abort() })
    expect(failed).toHaveLength(1)
  })
})

test('a refresh a second per area: the first at once, the rest gathered into one', () => {
  vi.useFakeTimers()
  const refreshed: string[] = []
  const hear = throttleByArea((area) => refreshed.push(area))
  hear('assets')
  hear('assets')
  hear('assets')
  hear('tags')
  expect(refreshed).toEqual(['assets', 'tags'])
  vi.advanceTimersByTime(1000)
  expect(refreshed).toEqual(['assets', 'tags', 'assets'])
  vi.advanceTimersByTime(5000)
  expect(refreshed).toHaveLength(3)
  hear('assets')
  expect(refreshed).toHaveLength(4)
})

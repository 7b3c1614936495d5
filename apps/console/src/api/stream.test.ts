import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { surroundings } from './client.ts'
import { stream } from './stream.ts'

const before = { ...surroundings }

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
  test('asks by GET, with the backoffice token only in the backoffice', async () => {
    answer('{}')
    await listen()
    Object.assign(surroundings, { onBackofficeRoute: () => true, backofficeToken: () => 'tok' })
    await listen()
    Object.assign(surroundings, before)
    expect(vi.mocked(fetch).mock.calls).toEqual([
      ['/v1/x', { method: 'GET', credentials: 'include', headers: {} }],
      ['/v1/x', { method: 'GET', credentials: 'include', headers: { 'X-Backoffice-Token': 'tok' } }],
    ])
  })
  test('reads an event that arrives in pieces, and stops when aborted', async () => {
    const stop = new AbortController()
    const bytes = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of ['event: ro', 'w\nda', 'ta: {"n":1}\n', '\n']) controller.enqueue(bytes.encode(piece))
        stop.signal.addEventListener('abort', () => controller.error(stop.signal.reason))
      },
    })
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, events)))
    await listen({
      signal: stop.signal,
      onMessage: (event, data) => {
        heard.push([event, data])
        stop.abort()
      },
    })
    expect([heard, failed]).toEqual([[['row', { n: 1 }]], []])
  })
  test('an event stream that is silent for too long is ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const opened = Promise.withResolvers<void>()
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(new ReadableStream<Uint8Array>(), events)))
    const ended = listen({ silence: 50_000, onOpen: opened.resolve })
    await opened.promise
    await vi.advanceTimersByTimeAsync(50_000)
    await ended
    expect([heard, failed]).toEqual([[], []])
  })
  test('no response is 500 INTERNAL_SERVER_ERROR; an aborted one is nothing', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    await listen()
    expect(failed).toEqual([{ status: 500, data: { msg: 'INTERNAL_SERVER_ERROR' } }])
    await listen({ signal: AbortSignal.abort() })
    expect(failed).toHaveLength(1)
  })
})

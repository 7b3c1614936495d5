import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bytesOf } from './cast.ts'
import { Recorder } from './recorder.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what became full while a part of it was written says that there is room again', async () => {
  const { promise: written, resolve: goOn } = Promise.withResolvers<void>()
  const append = vi.fn(async (_draft: string, at: number, pieces: AsyncIterable<Uint8Array>) => {
    let size = at
    for await (const piece of pieces) size += piece.byteLength
    await written
    return { size, failed: undefined }
  })
  const onRoom = vi.fn()
  const recorder = new Recorder({
    drafts: { append } as never,
    draft: 'a',
    key: 'b',
    size: { cols: 80, rows: 24 },
    at: 0,
    title: '',
    onRoom,
    onFail: (error) => expect(error).toBeUndefined(),
  })
  const output = () => recorder.output(Buffer.alloc(600 * 1024, 'x'))
  output()
  await vi.advanceTimersByTimeAsync(500)
  expect([append.mock.calls.length, recorder.full]).toEqual([1, false])
  output()
  expect(recorder.full).toBe(true)
  goOn()
  await vi.advanceTimersByTimeAsync(0)
  expect([recorder.full, onRoom.mock.calls.length]).toEqual([false, 1])
})

test.each([
  [450, 1000],
  [600, 1200],
])('where a part takes %d ms to be written, what came %d ms ago is written, whenever the server is killed', async (lasts, within) => {
  const written: Uint8Array[] = []
  const append = async (_draft: string, at: number, pieces: AsyncIterable<Uint8Array>) => {
    const part: Uint8Array[] = []
    for await (const piece of pieces) part.push(piece)
    await new Promise((resolve) => setTimeout(resolve, lasts))
    written.push(...part)
    return { size: at + part.reduce((sum, { byteLength }) => sum + byteLength, 0) }
  }
  const recorder = new Recorder({
    drafts: { append } as never,
    draft: 'a',
    key: 'b',
    size: { cols: 80, rows: 24 },
    at: 0,
    title: '',
    onRoom: () => {},
    onFail: (error) => expect(error).toBeUndefined(),
  })
  let oldest = 0
  for (let came = 1; came <= 500; came++) {
    recorder.output(Buffer.from('x'))
    await vi.advanceTimersByTimeAsync(10)
    oldest = Math.max(oldest, came - bytesOf(Buffer.concat(written).toString()).byteLength)
  }
  // One byte came each 10 ms.
  expect(oldest * 10).toBeLessThanOrEqual(within)
})

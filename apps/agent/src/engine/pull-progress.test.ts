import { expect, test } from 'vitest'
import { pullProgress } from './pull-progress.ts'

const layer = (id: string, status: string, current?: number, total?: number) => ({
  id,
  status,
  progressDetail: current === undefined ? {} : { current, total },
})

test('how much of an image has come is the share of what is known of its layers, and never falls', () => {
  const progress = pullProgress()
  expect(progress({ status: 'Pulling from acme/relay' })).toBeNull()
  expect(progress(layer('a', 'Pulling fs layer'))).toBeNull()
  expect(progress(layer('a', 'Downloading', 30, 100))).toBe(30)
  expect(progress(layer('b', 'Downloading', 0, 300))).toBe(30)
  expect(progress(layer('a', 'Download complete'))).toBe(30)
  expect(progress(layer('b', 'Downloading', 200, 300))).toBe(75)
  // Extracting has sizes of its own, and is past the download.
  expect(progress(layer('b', 'Extracting', 10, 900))).toBe(100)
  expect(progress(layer('c', 'Downloading', 0, 1000))).toBe(100)
})

test('it has all come once no layer is missing, also none whose size nobody has said yet', () => {
  const progress = pullProgress()
  for (const id of ['a', 'b', 'c']) progress(layer(id, 'Pulling fs layer'))
  progress(layer('c', 'Waiting'))
  expect(progress(layer('a', 'Downloading', 100, 100))).toBe(99)
  expect(progress(layer('b', 'Already exists'))).toBe(99)
  expect(progress(layer('a', 'Extracting', 1, 100))).toBe(99)
  expect(progress(layer('c', 'Downloading', 10, 100))).toBe(99)
  expect(progress(layer('c', 'Retrying in 5 seconds'))).toBe(99)
  expect(progress(layer('c', 'Verifying Checksum'))).toBe(100)
})

test('an engine that says no sizes, or odd ones, says no share', () => {
  const progress = pullProgress()
  for (const part of [{}, { id: 7 }, { id: 'a', status: 'Downloading', progressDetail: { current: 'x', total: 0 } }, { status: 'Pulled' }])
    expect(progress(part)).toBeNull()
})

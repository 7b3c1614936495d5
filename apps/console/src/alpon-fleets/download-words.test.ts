import { expect, test } from 'vitest'
import type { PoolDownload } from '@masthead/contract/alpon-fleets/rollout'
import { downloadWords, elsewhereWords, fits, foreignWords, goneWords, poolWords, unknownWords } from './download-words.ts'

const europe = { id: 'pool_1', name: 'Europe', remaining_bytes: 500_000_000, overage_policy: 'percent', overage_percent: 20 } as const
const of = (more: Partial<PoolDownload>): PoolDownload => ({
  pool: europe,
  others: [],
  devices: 2,
  bytes: 500_000_000,
  missing_bytes: 0,
  incomplete: false,
  ...more,
})

test('what a pool gives, and what follows where it has not enough', () => {
  expect(fits(of({}))).toBe(true)
  expect(poolWords(of({}))).toBe('Europe: 2 devices download 500 MB; 500 MB are left.')
  const more = of({ devices: 1, bytes: 500_000_001, missing_bytes: 1, incomplete: true })
  expect(fits(more)).toBe(false)
  expect(poolWords(more)).toBe(
    'Europe: 1 device downloads at least 500 MB; 500 MB are left. It does not fit: 1 B are missing. After the pool: 20 % more, then stop.'
  )
  expect(poolWords(of({ pool: null, devices: 1200 }))).toBe('No data pool: 1,200 devices download 500 MB.')
  expect(fits(of({ pool: null, bytes: 1e15 }))).toBe(true)
  const both = { others: [{ ...europe, id: 'pool_2', name: 'World', overage_policy: 'stop', overage_percent: null } as const] }
  expect(poolWords(of({ ...both, bytes: 1e9 }))).toBe('Europe, then World: 2 devices download 1 GB; 1 GB are left in all.')
  expect(poolWords(of({ ...both, bytes: 1e9 + 1, missing_bytes: 1 }))).toContain(
    'It does not fit: 1 B are missing. After Europe: 20 % more, then stop. After World: stop.'
  )
  const shared = of({ bytes: 400_000_000, missing_bytes: 200_000_000 })
  expect(fits(shared)).toBe(false)
  expect(poolWords(shared)).toContain(
    'It does not fit: 200 MB are missing, because other devices of the rollout take from it too. After the pool'
  )
})

test('what is not known is said, and no digest', () => {
  const none = { devices: 0, bytes: 0, unknown_images: [], elsewhere: { devices: 0, bytes: 0, incomplete: false }, pools: null }
  expect([downloadWords(none), unknownWords(none)]).toEqual(['No device has to download an image.', null])
  const unknown = { ...none, devices: 3, unknown_images: [`docker.io/library/nginx:1@sha256:${'ab'.repeat(32)}`] }
  expect(downloadWords(unknown)).toBe('3 devices download an unknown amount in all.')
  expect(unknownWords(unknown)).toBe('Not counted in full, because its size is not known for each device: docker.io/library/nginx:1.')
  const two = { ...unknown, bytes: 1500, unknown_images: [...unknown.unknown_images, 'alpine:3'] }
  expect(downloadWords(two)).toBe('3 devices download at least 1.5 KB in all.')
  expect(unknownWords(two)).toContain('because their sizes are not known for each device: docker.io/library/nginx:1, alpine:3.')
})

test('what goes by no cellular network', () => {
  const words = (devices: number, incomplete = false) =>
    elsewhereWords({ devices: 5, bytes: 9000, unknown_images: [], elsewhere: { devices, bytes: 3000, incomplete }, pools: null })
  expect(words(0)).toBeNull()
  expect(words(1)).toBe('Of them, 1 device downloads 3 KB by Ethernet or Wi-Fi, which it uses now.')
  expect(words(2, true)).toBe('Of them, 2 devices download at least 3 KB by Ethernet or Wi-Fi, which they use now.')
})

test('which images are not there any more, or may not be', () => {
  const digest = `@sha256:${'ab'.repeat(32)}`
  expect([goneWords({ gone_images: [] }), foreignWords({ foreign_images: [] }, 1, 2)]).toEqual([null, null])
  expect(goneWords({ gone_images: [`h/acme/relay:1${digest}`] })).toBe(
    'The registry does not have h/acme/relay:1 any more. A device that does not have it yet fails.'
  )
  const foreign = { foreign_images: [`docker.io/library/nginx:1${digest}`, `alpine:3${digest}`] }
  expect(foreignWords(foreign, 1, 2)).toBe(
    'Other registries may not have docker.io/library/nginx:1, alpine:3 any more. A device that does not have each of them yet fails then.'
  )
  // The newest was pulled by the pilot before it was published.
  expect(foreignWords(foreign, 2, 2)).toBeNull()
})

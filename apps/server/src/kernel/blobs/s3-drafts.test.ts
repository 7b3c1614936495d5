import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { s3Drafts } from './s3-drafts.ts'

/** A bucket in memory that counts how often it is listed. */
function bucket() {
  const objects = new Map<string, Buffer>()
  const times = new Map<string, Date>()
  const asked = { lists: 0, now: new Date(0) }
  const drafts = s3Drafts({
    put: async (key, bytes) => {
      const parts: Uint8Array[] = []
      for await (const part of bytes) parts.push(part)
      objects.set(key, Buffer.concat(parts))
      times.set(key, asked.now)
      return { size: objects.get(key)!.length, sha256: '' }
    },
    read: async (key) => (objects.has(key) ? Readable.from([objects.get(key)!]) : null),
    list: async function* (prefix) {
      asked.lists++
      for (const [key, { length }] of objects) if (key.startsWith(prefix)) yield { key, size: length, changed_at: times.get(key)! }
    },
    remove: async (key) => void objects.delete(key),
    abort: async () => {},
  })
  return { drafts, asked }
}

async function* piece(text: string) {
  yield Buffer.from(text)
}

test('who appends alone has a bucket listed at no piece, however many there are, and all of it is there', async () => {
  const { drafts, asked } = bucket()
  let size = 0
  for (let nth = 0; nth < 50; nth++) ({ size } = await drafts.append('terminal.a', size, piece(`${nth} `), { alone: true }))
  expect(asked.lists).toBe(0)
  const parts: Uint8Array[] = []
  for await (const part of drafts.read('terminal.a', size)) parts.push(part)
  expect(Buffer.concat(parts).toString()).toBe(Array.from({ length: 50 }, (_, nth) => `${nth} `).join(''))
  await drafts.append('upload.b', 0, piece('b'))
  expect(asked.lists).toBeGreaterThan(1)
})

test('a draft that goes on keeps its first piece, however old that is; one to which nothing came is cleared whole', async () => {
  const { drafts, asked } = bucket()
  const sizeOf = (name: string) => drafts.size(name)
  for (const name of ['goes-on', 'left', 'coming']) await drafts.append(name, 0, piece('ab'))
  await drafts.append('left', 2, piece('cd'))
  asked.now = new Date(5000)
  await drafts.append('goes-on', 2, piece('cd'))
  const between = new Date(1000)
  expect(await drafts.clear(between, ['drafts/coming/000000000000002'])).toBe(2)
  expect([await sizeOf('goes-on'), await sizeOf('left'), await sizeOf('coming')]).toEqual([4, null, 2])
  expect(await drafts.clear(new Date(9000))).toBe(3)
})

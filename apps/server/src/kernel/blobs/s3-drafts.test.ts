import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { s3Drafts } from './s3-drafts.ts'

/** A bucket in memory that counts how often it is listed. */
function bucket() {
  const objects = new Map<string, Buffer>()
  const asked = { lists: 0 }
  const drafts = s3Drafts({
    put: async (key, bytes) => {
      const parts: Uint8Array[] = []
      for await (const part of bytes) parts.push(part)
      objects.set(key, Buffer.concat(parts))
      return { size: objects.get(key)!.length, sha256: '' }
    },
    read: async (key) => (objects.has(key) ? Readable.from([objects.get(key)!]) : null),
    list: async function* (prefix) {
      asked.lists++
      const changed_at = new Date(0)
      for (const [key, { length }] of objects) if (key.startsWith(prefix)) yield { key, size: length, changed_at }
    },
    remove: async (key) => void objects.delete(key),
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

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { BlobDiffers, BlobsNotRead, BlobsNotWritten, DraftGone, type Blobs } from './blobs.ts'
import { fileBlobs } from './file-blobs.ts'
import { s3Blobs } from './s3-blobs.ts'
import { openTestS3 } from './test-s3.ts'

const dir = mkdtempSync(join(tmpdir(), 'masthead-blobs-'))
let s3: Awaited<ReturnType<typeof openTestS3>>
beforeAll(async () => {
  s3 = await openTestS3()
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true, force: true })
})

async function* pieces(bytes: Buffer, size = 100_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('files are for their user alone, because recordings have what was typed', async () => {
  const place = join(dir, 'own')
  const blobs = fileBlobs(place)
  await blobs.put('terminals/acc_1/ter_1', pieces(Buffer.from('typed')))
  const made = [place, join(place, '.new'), join(place, 'terminals')]
  expect(made.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['700', '700', '700'])
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
async function keysOf(blobs: Blobs, prefix: string) {
  const keys: string[] = []
  for await (const { key } of blobs.list(prefix)) keys.push(key)
  return keys.toSorted()
}
const tomorrow = () => new Date(Date.now() + 86_400_000)

describe.each([
  ['files', () => fileBlobs(join(dir, 'one'))],
  ['a store that speaks S3', () => s3Blobs(s3.settings)],
])('%s', (_, open) => {
  // Two parts of S3 and a piece.
  const large = randomBytes(17 * 1024 * 1024)

  test('keep what comes with its digest, give all of it or a part, and forget it', async () => {
    const blobs = open()
    expect(await blobs.put('reports/acc_1/large', pieces(large))).toEqual({ size: large.length, sha256: sha256(large) })
    expect(await blobs.find('reports/acc_1/large')).toMatchObject({ size: large.length })
    expect(sha256(await buffer((await blobs.read('reports/acc_1/large'))!))).toBe(sha256(large))
    const part = await buffer((await blobs.read('reports/acc_1/large', { start: 1000, end: 2999 }))!)
    expect(part.equals(large.subarray(1000, 3000))).toBe(true)
    await blobs.put('reports/acc_1/large', pieces(Buffer.from('less')))
    expect(String(await buffer((await blobs.read('reports/acc_1/large'))!))).toBe('less')
    await blobs.remove('reports/acc_1/large')
    await blobs.remove('reports/acc_1/large')
    expect(await blobs.find('reports/acc_1/large')).toBeNull()
    expect(await blobs.read('reports/acc_1/large')).toBeNull()
  })

  test('keep nothing of what differs from what was announced, or ends in a failure', async () => {
    const blobs = open()
    const put = (bytes: AsyncIterable<Uint8Array>, expected?: object) => blobs.put('sha256/aa/blob', bytes, expected)
    await expect(put(pieces(large), { sha256: sha256(Buffer.from('other')) })).rejects.toThrow(BlobDiffers)
    await expect(put(pieces(large), { size: 1000 })).rejects.toThrow('More came than the 1000 bytes')
    await expect(put(pieces(Buffer.from('few')), { size: 1000 })).rejects.toThrow('3 bytes came, and 1000 were announced')
    const failing = async function* () {
      yield large
      throw new Error('The sender went away')
    }
    await expect(put(failing())).rejects.toThrow('The sender went away')
    expect(await keysOf(blobs, 'sha256/')).toEqual([])
    await put(pieces(large), { sha256: sha256(large), size: large.length })
    expect(await keysOf(blobs, 'sha256/')).toEqual(['sha256/aa/blob'])
  })

  test('what comes in pieces is no blob until it is kept, goes on after a failure, and is read to be counted', async () => {
    const { drafts, ...blobs } = open()
    expect(await drafts.append('upload-1', 0, pieces(large.subarray(0, 3_000_000)))).toEqual({ size: 3_000_000 })
    const failing = async function* () {
      yield large.subarray(3_000_000, 5_000_000)
      throw new Error('The sender went away')
    }
    const { size, failed } = await drafts.append('upload-1', 3_000_000, failing())
    expect(failed).toMatchObject({ message: 'The sender went away' })
    expect([3_000_000, 5_000_000]).toContain(size)
    // What is beyond is written anew.
    await drafts.append('upload-1', 3_000_000, pieces(large.subarray(3_000_000, 4_000_000)))
    await drafts.append('upload-1', 4_000_000, pieces(large.subarray(4_000_000)))
    await expect(drafts.append('upload-1', large.length + 1, pieces(large))).rejects.toThrow(DraftGone)
    const chunks: Uint8Array[] = []
    for await (const chunk of drafts.read('upload-1', large.length)) chunks.push(chunk)
    expect(sha256(Buffer.concat(chunks))).toBe(sha256(large))
    expect(await keysOf(blobs as Blobs, 'drafted/')).toEqual([])
    const expected = { size: large.length, sha256: sha256(large) }
    await expect(drafts.keep('upload-2', 'drafted/none', expected)).rejects.toThrow(DraftGone)
    await drafts.keep('upload-1', 'drafted/whole', expected)
    expect(sha256(await buffer((await blobs.read('drafted/whole'))!))).toBe(sha256(large))
    await expect(drafts.keep('upload-1', 'drafted/twice', expected)).rejects.toThrow(DraftGone)
    await drafts.append('upload-3', 0, pieces(large))
    expect(await blobs.clear(new Date(0))).toBe(0)
    expect(await blobs.clear(tomorrow())).toBeGreaterThan(0)
    await expect(drafts.append('upload-3', 10, pieces(large))).rejects.toThrow(DraftGone)
    await drafts.append('upload-4', 0, pieces(large))
    await drafts.drop('upload-4')
    await drafts.drop('upload-4')
    expect(await blobs.clear(tomorrow())).toBe(0)
  })

  test('what was killed while it wrote leaves nothing behind the bytes that are known', async () => {
    const { drafts, ...blobs } = open()
    const known = large.subarray(0, 1_000_000)
    await drafts.append('upload-5', 0, pieces(known))
    let end = () => {}
    const ending = new Promise<void>((resolve) => (end = resolve))
    async function* killed() {
      yield large.subarray(1_000_000, 11_000_000)
      await ending
      throw new Error('It is over')
    }
    const appending = drafts.append('upload-5', 1_000_000, killed())
    const keeping = blobs.put('drafted/x.upload-5', killed()).catch(() => {})
    const begun = () => [...s3.begun.values()].filter(({ key, parts }) => key.includes('upload-5') && parts.size > 0).length
    await vi.waitFor(async () => expect((await drafts.size('upload-5'))! > 10_000_000 || begun() === 2).toBe(true), 10_000)
    await drafts.cut('upload-5', 1_000_000)
    expect([await drafts.size('upload-5'), begun()]).toEqual([1_000_000, 0])
    end()
    await Promise.all([appending, keeping])
    // A piece that is whole, of which nothing was written down.
    await drafts.append('upload-5', 1_000_000, pieces(large.subarray(1_000_000, 2_000_000)))
    await drafts.cut('upload-5', 1_000_000)
    const chunks: Uint8Array[] = []
    for await (const chunk of drafts.read('upload-5', 1_000_000)) chunks.push(chunk)
    expect([await drafts.size('upload-5'), Buffer.concat(chunks).equals(known)]).toEqual([1_000_000, true])
    for (const again of [1, 2]) {
      await drafts.cut('upload-5', 0)
      expect([again, await drafts.size('upload-5')]).toEqual([again, null])
    }
  })

  test('list by the beginning of a key, however many there are', async () => {
    const blobs = open()
    s3.state.mostAtOnce = 2
    for (const key of ['list/a/1', 'list/a/2', 'list/a/3', 'list/ab', 'list/b/1']) await blobs.put(key, pieces(Buffer.from(key)))
    expect(await keysOf(blobs, 'list/')).toEqual(['list/a/1', 'list/a/2', 'list/a/3', 'list/ab', 'list/b/1'])
    expect(await keysOf(blobs, 'list/a')).toEqual(['list/a/1', 'list/a/2', 'list/a/3', 'list/ab'])
    expect(await keysOf(blobs, 'none/')).toEqual([])
  })

  test('a key that leads elsewhere is none', async () => {
    const blobs = open()
    for (const key of ['../secret', 'a/../../b', '/etc/passwd', 'a//b', '', '.new/x', 'A/b'])
      await expect(blobs.read(key), key).rejects.toThrow('no key of a blob')
  })

  test('say in words when nothing can be written', async () => {
    expect(await open().whyNotWritten()).toBeNull()
    writeFileSync(join(dir, 'file'), '')
    s3.state.refuses = true
    const broken = open().place.startsWith('the bucket') ? open() : fileBlobs(join(dir, 'file', 'below'))
    expect(await broken.whyNotWritten()).toContain(`Nothing can be written to ${broken.place}`)
    const refused = await broken.put('a', pieces(large)).catch((error: unknown) => error)
    s3.state.refuses = false
    expect(refused).toBeInstanceOf(BlobsNotWritten)
  })
})

test('a bucket that refuses us is not one without the blob', async () => {
  const refused = s3Blobs({ ...s3.settings, accessKeyId: 'somebody' })
  for (const asked of [refused.find('whole'), refused.read('whole')]) await expect(asked).rejects.toBeInstanceOf(BlobsNotRead)
})

test('a full disk is said in words, and what was there stays', async () => {
  const blobs = fileBlobs(join(dir, 'full'))
  await blobs.put('kept', pieces(Buffer.from('before')))
  let openNow = 0
  const onFullDisk = fileBlobs(join(dir, 'full'), async (...asked) => {
    const file = await open(...asked)
    openNow++
    const close = file.close.bind(file)
    file.close = () => {
      openNow--
      return close()
    }
    file.write = () => Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }))
    return file
  })
  await expect(onFullDisk.put('kept', pieces(Buffer.from('after')))).rejects.toThrow(/There is no room on the disk of .*full/)
  expect(await onFullDisk.whyNotWritten()).toMatch(/There is no room/)
  expect(openNow, 'files that were left open').toBe(0)
  expect(String(await buffer((await blobs.read('kept'))!))).toBe('before')
  expect(readdirSync(join(dir, 'full', '.new'))).toEqual([])
})

test('what is known of a draft stays where its file cannot be opened now', async () => {
  const root = join(dir, 'busy')
  const { drafts } = fileBlobs(root)
  await drafts.append('held', 0, pieces(Buffer.from('known')))
  const busy = fileBlobs(root, () => Promise.reject(Object.assign(new Error('EMFILE: too many open files, open'), { code: 'EMFILE' })))
  await expect(busy.drafts.cut('held', 5)).rejects.toThrow('EMFILE')
  expect(await drafts.size('held')).toBe(5)
  await drafts.cut('none', 5)
  expect(await drafts.size('none')).toBeNull()
})

test('a process that is killed leaves nothing but what is cleared', async () => {
  const root = join(dir, 'killed')
  const blobs = fileBlobs(root)
  const child = fork(new URL('./test-putting-process.ts', import.meta.url), [root], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await keysOf(blobs, '')).toEqual([])
  expect(readdirSync(join(root, '.new'))).toHaveLength(1)
  expect(await blobs.clear(new Date(0))).toBe(0)
  expect(await blobs.clear(tomorrow())).toBe(1)
  expect(readdirSync(join(root, '.new'))).toEqual([])
})

test('parts that no object of S3 has are cleared, on whichever page of them the store lists them', async () => {
  s3.state.mostAtOnce = 2
  const keys = ['reports/never', 'reports/never', 'reports/never', 'reports/other', 'secrets/ab/digest.rup_cut']
  for (const [n, key] of keys.entries()) s3.begun.set(`left-${n}`, { key, at: new Date(), parts: new Map() })
  const blobs = s3Blobs(s3.settings)
  expect(await blobs.clear(new Date(0))).toBe(0)
  await blobs.drafts.cut('rup_cut', 0)
  expect([...s3.begun.keys()]).toEqual(['left-0', 'left-1', 'left-2', 'left-3'])
  expect(await blobs.clear(tomorrow())).toBe(4)
  expect(s3.begun.size).toBe(0)
})

test('a large draft goes to the disk while it comes, and one that does not is not kept', async () => {
  let written = 0
  let sync = () => Promise.resolve()
  const { drafts } = fileBlobs(join(dir, 'synced'), async (...asked) => {
    const file = await open(...asked)
    vi.spyOn(file, 'datasync').mockImplementation(() => sync())
    return file
  })
  const piece = Buffer.alloc(1024 * 1024, 1)
  async function* seventy() {
    written = 0
    for (let nth = 0; nth < 70; nth++) {
      yield piece
      written++
    }
  }
  const synced: number[] = []
  sync = async () => void synced.push(written)
  expect(await drafts.append('large', 0, seventy())).toEqual({ size: 70 * piece.length })
  expect(synced).toHaveLength(17)
  expect(synced[0]).toBeLessThan(20)
  sync = () => Promise.reject(Object.assign(new Error('The disk'), { code: 'EIO' }))
  await expect(drafts.append('large', 0, seventy())).rejects.toThrow(BlobsNotWritten)
  await drafts.drop('large')
})

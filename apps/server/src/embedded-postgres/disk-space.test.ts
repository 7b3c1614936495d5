import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lackOfSpace } from './disk-space.ts'

const dir = mkdtempSync(join(tmpdir(), 'masthead-space-'))
afterAll(() => rmSync(dir, { recursive: true }))

test('a disk that is too small for a new database is said before anything is made', () => {
  expect(lackOfSpace(dir, { free: 300_000_000 })).toEqual({
    refused: `The disk of ${dir} has 300 MB left, and a new database needs 500 MB. Make space, or set MASTHEAD_DATA_DIR to a directory on a larger disk.`,
  })
  expect(lackOfSpace(dir, { free: 700_000_000 })).toMatchObject({ warning: expect.stringContaining('has 700 MB left') as string })
  expect(lackOfSpace(dir, { free: 2_000_000_000 })).toBeNull()
})

test('a database that is there is started all the same, with a word of warning', () => {
  mkdirSync(join(dir, 'postgres/cluster'), { recursive: true })
  writeFileSync(join(dir, 'postgres/cluster/PG_VERSION'), '18\n')
  expect(lackOfSpace(dir, { free: 300_000_000 })).toMatchObject({
    warning: expect.stringContaining('has 300 MB left: once it is full') as string,
  })
})

test('what is free is asked of the disk itself', () => {
  // A file system without space: the kernel's own.
  expect(lackOfSpace('/proc', { clusterDir: join(dir, 'none') })).toMatchObject({
    refused: expect.stringContaining('has 0 B left') as string,
  })
})

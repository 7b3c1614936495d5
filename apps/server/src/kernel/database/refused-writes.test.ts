import { expect, test } from 'vitest'
import { whyNotMade, wordsOfRefusedWrites } from './refused-writes.ts'

const own = { dataDir: '/data', databaseUrl: undefined }
const elsewhere = { dataDir: '/data', databaseUrl: 'postgres://db/masthead' }
const coded = (code: string, words = 'no') => Object.assign(new Error(words), { code })

test.each([
  ['a file of ours', coded('ENOSPC')],
  ['a statement', coded('53100', 'could not extend file')],
  ['a failure around it', new Error('Migration 0003 failed', { cause: coded('53100') })],
  [
    'initdb',
    new Error(
      'initdb failed: FATAL:  could not write to file "base/4/1249": No space left on device\nSTATEMENT:  CREATE DATABASE template0'
    ),
  ],
])('a full disk that %s meets is told with what to do', (_, error) => {
  expect(wordsOfRefusedWrites(error, own)).toMatch(/no room on the disk of \/data\. .*kept\. Make room, or set MASTHEAD_DATA_DIR/)
  expect(wordsOfRefusedWrites(error, elsewhere)).toMatch(/no room on the disk of the database at DATABASE_URL/)
})

test('a read-only disk, and a read-only database, are reported with what to do', () => {
  for (const error of [coded('EROFS'), new Error('FATAL:  could not open file "postmaster.pid": Read-only file system')])
    expect(wordsOfRefusedWrites(error, own)).toMatch(/disk of \/data is read-only\. Mount it for writing/)
  expect(wordsOfRefusedWrites(coded('25006'), elsewhere)).toMatch(/DATABASE_URL is read-only: a standby, .*takes writes/)
})

test('what is something else is left as it is', () => {
  for (const error of [new Error('a mistake of ours'), coded('ECONNREFUSED'), 'words', undefined])
    expect(wordsOfRefusedWrites(error, own)).toBeUndefined()
})

test('a directory whose parent may be written keeps the error of making it', () => {
  const error = new Error('ENOTDIR: not a directory')
  expect(whyNotMade('/tmp/none/of/these', error)).toBe(error)
})

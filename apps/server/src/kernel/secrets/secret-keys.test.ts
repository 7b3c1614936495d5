import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { openDatabase } from '../database/open-database.ts'
import { addSecretKey, dropOldSecretKeys, isEncrypted, keyFileOf, keyIdOf, prepareSecretKeys, SecretKeys } from './secret-keys.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'masthead-keys-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

const key = (letter: string) => Buffer.alloc(32, letter)

test('a secret is read with its key, at its place, unchanged; and looks another each time', () => {
  const keys = new SecretKeys({ secretKeys: [key('a')] })
  const encrypted = keys.encrypt('gateway gtw_1', 'radius, é')
  expect(isEncrypted(encrypted)).toBe(true)
  expect(keyIdOf(encrypted)).toBe(keys.getCurrent())
  expect(keys.decrypt('gateway gtw_1', encrypted)).toBe('radius, é')
  expect(Buffer.from(encrypted.split('.')[2]!, 'base64url').toString('latin1')).not.toContain('radius')
  expect(keys.encrypt('gateway gtw_1', 'radius, é')).not.toBe(encrypted)
  expect(() => keys.decrypt('gateway gtw_2', encrypted)).toThrow()
  const [mark, id, text] = encrypted.split('.') as [string, string, string]
  for (let at = 0; at < text.length; at++) {
    const bytes = Buffer.from(text, 'base64url')
    if (at >= bytes.length) break
    bytes[at]! ^= 1
    expect(() => keys.decrypt('gateway gtw_1', `${mark}.${id}.${bytes.toString('base64url')}`)).toThrow()
  }
})

test('the first key locks, and those before still open; one that is not here is named', () => {
  const old = new SecretKeys({ secretKeys: [key('b')] }).encrypt('x', 'kept')
  const keys = new SecretKeys({ secretKeys: [key('c'), key('b')] })
  expect(keyIdOf(keys.encrypt('x', 'kept'))).not.toBe(keyIdOf(old))
  expect(keys.decrypt('x', old)).toBe('kept')
  expect(() => keys.decrypt('x', old.replace(keyIdOf(old), '00000000'))).toThrow('The key 00000000')
})

test('a key is made that nobody else may read, and belongs to its database: another machine’s is refused', async () => {
  await using house = await openHouse()
  await house.db.deleteFrom('signing_key').execute()
  const withKeys = (dir: string) => openDatabase(house.app.pool, { keys: new SecretKeys({ secretKeys: [], dataDir: dir }) })
  const here = withKeys(dataDir)
  await prepareSecretKeys(here, { dataDir })
  expect(statSync(keyFileOf(dataDir)).mode & 0o777).toBe(0o600)
  const id = here.keys.getCurrent()
  await prepareSecretKeys(here, { dataDir })
  expect(here.keys.getCurrent()).toBe(id)
  const elsewhere = join(dataDir, 'elsewhere')
  await expect(prepareSecretKeys(withKeys(elsewhere), { dataDir: elsewhere })).rejects.toThrow(id)
  expect(statSync(keyFileOf(elsewhere), { throwIfNoEntry: false })).toBeUndefined()
})

test('a key added by another process is seen without a restart, and the last but one is kept', () => {
  const keys = new SecretKeys({ secretKeys: [], dataDir })
  const first = keys.encrypt('x', 'one')
  const lines = () => readFileSync(keyFileOf(dataDir), 'utf8').trim().split('\n')
  const before = lines()
  addSecretKey({ dataDir })
  expect(lines().slice(1)).toEqual(before)
  const second = keys.encrypt('x', 'two')
  expect(keyIdOf(second)).not.toBe(keyIdOf(first))
  expect(keys.decrypt('x', first)).toBe('one')
  addSecretKey({ dataDir })
  dropOldSecretKeys({ dataDir })
  expect(lines()).toHaveLength(2)
  expect(lines()).not.toContain(before[0])
  writeFileSync(keyFileOf(dataDir), 'no key\n')
  expect(() => new SecretKeys({ secretKeys: [], dataDir }).findCurrent()).toThrow('no key of 32 bytes')
})

test('two databases of one process have each its own keys', () => {
  const [one, other] = ['d', 'e'].map((letter) => new SecretKeys({ secretKeys: [key(letter)] })) as [SecretKeys, SecretKeys]
  const encrypted = one.encrypt('x', 'of one')
  expect(other.findCurrent()).not.toBe(one.findCurrent())
  expect(() => other.decrypt('x', encrypted)).toThrow('is not here')
  expect(one.decrypt('x', encrypted)).toBe('of one')
})

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { addSecretKey, currentKeyId, dropOldSecretKeys, holdSecretKeys, isSealed, keyFileOf, keyIdOf } from './secret-keys.ts'
import { openSecret, prepareSecretKeys, sealSecret } from './secret-keys.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'masthead-keys-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

const key = (letter: string) => Buffer.alloc(32, letter)

test('a secret is read with its key, at its place, unchanged; and looks another each time', () => {
  holdSecretKeys({ secretKeys: [key('a')], dataDir })
  const sealed = sealSecret('gateway gtw_1', 'radius, é')
  expect(isSealed(sealed)).toBe(true)
  expect(keyIdOf(sealed)).toBe(currentKeyId())
  expect(openSecret('gateway gtw_1', sealed)).toBe('radius, é')
  expect(Buffer.from(sealed.split('.')[2]!, 'base64url').toString('latin1')).not.toContain('radius')
  expect(sealSecret('gateway gtw_1', 'radius, é')).not.toBe(sealed)
  expect(() => openSecret('gateway gtw_2', sealed)).toThrow()
  const [mark, id, text] = sealed.split('.') as [string, string, string]
  for (let at = 0; at < text.length; at++) {
    const bytes = Buffer.from(text, 'base64url')
    if (at >= bytes.length) break
    bytes[at]! ^= 1
    expect(() => openSecret('gateway gtw_1', `${mark}.${id}.${bytes.toString('base64url')}`)).toThrow()
  }
})

test('the first key locks, and those before still open; one that is not here is named', () => {
  holdSecretKeys({ secretKeys: [key('b')], dataDir })
  const old = sealSecret('x', 'kept')
  holdSecretKeys({ secretKeys: [key('c'), key('b')], dataDir })
  expect(keyIdOf(sealSecret('x', 'kept'))).not.toBe(keyIdOf(old))
  expect(openSecret('x', old)).toBe('kept')
  expect(() => openSecret('x', old.replace(keyIdOf(old), '00000000'))).toThrow('The key 00000000')
})

test('a key is made that nobody else may read, and belongs to its database: another machine’s is refused', async () => {
  await using house = await openHouse()
  await house.db.deleteFrom('signing_key').execute()
  await prepareSecretKeys(house.db, { secretKeys: [], dataDir })
  expect(statSync(keyFileOf(dataDir)).mode & 0o777).toBe(0o600)
  const id = currentKeyId()
  await prepareSecretKeys(house.db, { secretKeys: [], dataDir })
  expect(currentKeyId()).toBe(id)
  const elsewhere = join(dataDir, 'elsewhere')
  await expect(prepareSecretKeys(house.db, { secretKeys: [], dataDir: elsewhere })).rejects.toThrow(id)
  expect(statSync(keyFileOf(elsewhere), { throwIfNoEntry: false })).toBeUndefined()
})

test('a key added by another process is seen without a restart, and the last but one is kept', () => {
  const here = { secretKeys: [], dataDir }
  holdSecretKeys(here)
  const first = sealSecret('x', 'one')
  const lines = () => readFileSync(keyFileOf(dataDir), 'utf8').trim().split('\n')
  const before = lines()
  addSecretKey(here)
  expect(lines().slice(1)).toEqual(before)
  const second = sealSecret('x', 'two')
  expect(keyIdOf(second)).not.toBe(keyIdOf(first))
  expect(openSecret('x', first)).toBe('one')
  addSecretKey(here)
  dropOldSecretKeys(here)
  expect(lines()).toHaveLength(2)
  expect(lines()).not.toContain(before[0])
  writeFileSync(keyFileOf(dataDir), 'no key\n')
  expect(() => holdSecretKeys({ secretKeys: [], dataDir })).toThrow('no key of 32 bytes')
})

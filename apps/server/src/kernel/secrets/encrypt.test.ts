import { expect, test } from 'vitest'
import { encrypt, decrypt } from './encrypt.ts'

test('an encrypted text is read with its word alone, and looks another each time', () => {
  const encrypted = encrypt('a word', 'the secret, é')
  expect(decrypt('a word', encrypted)).toBe('the secret, é')
  expect(Buffer.from(encrypted, 'base64url').toString('latin1')).not.toContain('secret')
  expect(encrypt('a word', 'the secret, é')).not.toBe(encrypted)
  expect(() => decrypt('another', encrypted)).toThrow()
})

test('a changed bit is noticed', () => {
  const bytes = Buffer.from(encrypt('a word', 'the secret'), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    expect(() => decrypt('a word', changed.toString('base64url'))).toThrow()
  }
})

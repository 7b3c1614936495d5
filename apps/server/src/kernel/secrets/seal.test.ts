import { expect, test } from 'vitest'
import { seal, unseal } from './seal.ts'

test('a sealed text is read with its word alone, and looks another each time', () => {
  const sealed = seal('a word', 'the secret, é')
  expect(unseal('a word', sealed)).toBe('the secret, é')
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('secret')
  expect(seal('a word', 'the secret, é')).not.toBe(sealed)
  expect(() => unseal('another', sealed)).toThrow()
})

test('a changed bit is noticed', () => {
  const bytes = Buffer.from(seal('a word', 'the secret'), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    expect(() => unseal('a word', changed.toString('base64url'))).toThrow()
  }
})

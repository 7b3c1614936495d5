import { expect, test } from 'vitest'
import { addressWords } from './address-words.ts'

test('a tunnel is shown as it is typed: the command for a shell, the address of a web page, and else host and port', () => {
  const words = (port: number, reached_at: string | null, more: { tls?: boolean; encrypted?: boolean; url?: string } = {}) =>
    addressWords({ port, reached_at, tls: false, encrypted: false, url: null, ...more })
  expect(words(22, 'm.example:40122')).toBe('ssh -p 40122 m.example')
  expect(words(22, '[2001:db8::7]:40122')).toBe('ssh -p 40122 2001:db8::7')
  expect(words(22, 'm.example:40122', { encrypted: true })).toBe('m.example:40122')
  expect(words(443, 'm.example:40123', { encrypted: true, tls: true })).toBe('m.example:40123')
  expect(words(443, 'm.example:40123', { tls: true })).toBe('https://m.example:40123')
  expect(words(502, 'm.example:40124')).toBe('m.example:40124')
  expect(words(8080, null, { url: 'https://t-1.m.example' })).toBe('https://t-1.m.example')
  expect(words(22, null)).toBeNull()
})

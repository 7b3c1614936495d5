import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeCertificate, whyNotUsable } from './own-certificate.ts'

test('a certificate of our own is of its names, signed by its key, and ends', () => {
  const now = Date.now()
  const made = makeCertificate(['broker.example', '127.0.0.1', 'fe80::1'], now)
  const read = new X509Certificate(made.cert)
  expect(read.subjectAltName).toBe('DNS:broker.example, IP Address:127.0.0.1, IP Address:FE80:0:0:0:0:0:0:1')
  expect(read.verify(read.publicKey)).toBe(true)
  expect(read.checkHost('broker.example')).toBe('broker.example')
  expect(whyNotUsable(made, now)).toBeNull()
  expect(whyNotUsable(made, now + 900 * 86_400_000)).toMatch(/ended/)
  expect(whyNotUsable({ ...made, key: makeCertificate(['other'], now).key }, now)).toMatch(/not that of/)
})

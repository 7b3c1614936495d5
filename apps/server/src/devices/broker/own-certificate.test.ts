import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedAt } from './certificate-files.ts'
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

test('a certificate or a key that takes the place of another is seen, also where its time is earlier than that of the other file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const write = (file: string, seconds: number) => {
    writeFileSync(file, '')
    utimesSync(file, seconds, seconds)
  }
  write(tls.cert, 1000)
  write(tls.key, 5000)
  const seen = [changedAt({ tls })]
  // As a tool that keeps the times of what it copies.
  write(tls.cert, 2000)
  seen.push(changedAt({ tls }))
  write(tls.key, 3000)
  seen.push(changedAt({ tls }))
  expect(new Set(seen).size).toBe(3)
  expect(changedAt({ tls })).toBe(seen[2])
  expect(changedAt({ tls: null })).toBe(changedAt({ tls: null }))
  rmSync(folder, { recursive: true })
})

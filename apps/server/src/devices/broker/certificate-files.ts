import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { X509Certificate } from 'node:crypto'
import type { Config } from '../../kernel/config.ts'
import { makeDirs } from '../../kernel/make-dirs.ts'
import { makeCertificate, renewBefore, whyNotUsable, type Certificate } from './own-certificate.ts'

type Where = Pick<Config, 'tls' | 'dataDir' | 'host' | 'publicUrl'>

/** Another text when a certificate or its key was put in the place of another, also one that is older than what it replaces. */
export const changedAt = ({ tls }: Pick<Where, 'tls'>): string =>
  tls ? [tls.cert, tls.key].map((file) => statSync(file).mtimeMs).join(' ') : ''

/** The certificate of the settings, or one of our own in the data directory, which is made anew before it ends. Throws where neither can be used. */
export function readCertificate(where: Where, now: number): Certificate {
  const { tls } = where
  if (!tls) return ownCertificate(where, now)
  const given = { cert: readFileSync(tls.cert, 'utf8'), key: readFileSync(tls.key, 'utf8') }
  const why = whyNotUsable(given, now)
  if (why) throw new Error(`The certificate ${tls.cert} cannot be used: ${why}`)
  return given
}

/** Why the certificate that the settings name cannot be used, as a sentence without its full stop; null where it can, or where they name none. */
export function whyNoCertificate(where: Where, now: number): string | null {
  if (!where.tls) return null
  try {
    readCertificate(where, now)
    return null
  } catch (error) {
    return `MASTHEAD_TLS_CERT and MASTHEAD_TLS_KEY: ${(error as Error).message}`
  }
}

function ownCertificate({ dataDir, host, publicUrl }: Where, now: number): Certificate {
  const file = join(dataDir, 'mqtt-certificate.pem')
  const kept = readKept(file)
  if (kept && whyNotUsable(kept, now) === null && Date.parse(new X509Certificate(kept.cert).validTo) - now > renewBefore) return kept
  const names = new Set([...(publicUrl ? [new URL(publicUrl).hostname] : []), hostname(), 'localhost', '127.0.0.1', host])
  for (const any of ['0.0.0.0', '::']) names.delete(any)
  const made = makeCertificate([...names] as [string, ...string[]], now)
  makeDirs(dataDir)
  writeFileSync(`${file}.new`, `${made.key}${made.cert}`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return made
}

/** Key and certificate in one file. */
function readKept(file: string): Certificate | undefined {
  try {
    const both = readFileSync(file, 'utf8')
    const at = both.indexOf('-----BEGIN CERTIFICATE-----')
    return at < 0 ? undefined : { key: both.slice(0, at), cert: both.slice(at) }
  } catch {
    return undefined
  }
}

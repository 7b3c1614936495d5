import type { App } from '../../kernel/app.ts'
import { perApp } from '../../kernel/per-app.ts'
import type { Scanner } from '../../kernel/scanner-settings.ts'
import { askScanner, failureOf, parseObject, plainType, type Asking } from './ask-scanner.ts'
import { objectOf } from '../attached/read-signed.ts'
import { dateOf, textOf } from './plain-values.ts'
import { ScanFailed } from './scan-failed.ts'

/** What a scanner says of itself. */
type ScannerSays = {
  /** With its version: `Trivy 0.50.1`. */
  name: string
  /** Of when its database of vulnerabilities is; null: it does not say. */
  database_at: Date | null
  /** What it looks into, and the types of its reports. `typed`: it tells kinds of reports apart, of which lists of packages are another. */
  capabilities: { consumes: string[]; produces: string[]; typed: boolean }[]
}

const metadataType = 'application/vnd.scanner.adapter.metadata+json'
/** Reports that are understood, the newest first. */
const reportTypes = [
  'application/vnd.security.vulnerability.report; version=1.1',
  'application/vnd.scanner.adapter.vuln.report.harbor+json; version=1.0',
] as const
const databaseProperty = 'harbor.scanner-adapter/vulnerability-database-updated-at'

/** The name of a scanner with its version. */
export const nameOf = (given: unknown): string => {
  const { name, version } = objectOf(given)
  return [textOf(name, 60) || 'A scanner', textOf(version, 40).replace(/^v(?=\d)/, '')].filter((part) => part !== '').join(' ')
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]).slice(0, 100) : [])
const typesOf = (value: unknown): string[] => listOf(value).map((each) => plainType(textOf(each)))

/** Asks a scanner what it is. Throws ScanFailed. */
export async function askWhatItIs(scanner: Scanner, asking: Asking = {}): Promise<ScannerSays> {
  const answer = await askScanner(
    scanner,
    'metadata',
    { accept: `${metadataType}; version=1.1, ${metadataType}; version=1.0`, most: 1 },
    asking
  )
  if (answer.status !== 200) throw failureOf(answer, 'The scanner does not say what it is')
  if (answer.type.split(';')[0] !== metadataType)
    throw new ScanFailed('failed', `What answers at SCANNER_URL is no scanner: it sends ${answer.type.slice(0, 100) || 'no type'}`)
  const { scanner: about, capabilities, properties } = parseObject(answer.text, 'The metadata', 'failed')
  return {
    name: nameOf(about),
    database_at: dateOf(objectOf(properties)[databaseProperty]),
    capabilities: listOf(capabilities)
      .map(objectOf)
      .filter(({ type = 'vulnerability' }) => type === 'vulnerability')
      .map(({ type, consumes_mime_types, produces_mime_types }) => ({
        consumes: typesOf(consumes_mime_types),
        produces: typesOf(produces_mime_types),
        typed: type !== undefined,
      })),
  }
}

/** The type of the report to ask for on a manifest. Throws ScanFailed where there is none. */
export function reportTypeFor({ name, capabilities }: ScannerSays, mediaType: string): { type: string; typed: boolean } {
  const fitting = capabilities.filter(({ consumes }) => consumes.includes(plainType(mediaType)))
  if (fitting.length === 0) throw new ScanFailed('for_good', `${name} does not look into ${mediaType}`)
  for (const type of reportTypes) for (const { produces, typed } of fitting) if (produces.includes(plainType(type))) return { type, typed }
  throw new ScanFailed('for_good', `${name} makes no report that is understood here`)
}

const known = perApp((): { last?: { at: number; of: Scanner; says: ScannerSays } } => ({}))
const knownFor = 60_000 // ms

/** What the scanner of the installation is, as it said within the last minute. Throws ScanFailed. */
export async function whatItIs(app: App, scanner: Scanner, asking: Asking = {}): Promise<ScannerSays> {
  const at = app.clock.now().getTime()
  const kept = known(app)
  if (kept.last && kept.last.of === scanner && at - kept.last.at < knownFor) return kept.last.says
  const says = await askWhatItIs(scanner, asking)
  kept.last = { at, of: scanner, says }
  return says
}

import type { Scanner } from '../../kernel/scanner-settings.ts'
import { askScanner, failureOf, parseObject, plainType, type Asking } from './ask-scanner.ts'
import { readReport, type ReadReport } from './read-report.ts'
import { ScanFailed } from './scan-failed.ts'

const interfaceOf = (name: string, version: string) => `application/vnd.scanner.adapter.${name}+json; version=${version}`

/** What is to be scanned, and how the scanner gets at it. */
export type Wanted = {
  /** With the slug. */
  repository: string
  digest: string
  media_type: string
  /** A password that pulls from this repository, for as long as a scan may take. */
  pass: string
  report: { type: string; typed: boolean }
}

/** Asks for a scan. Answers what the scanner calls it. Throws ScanFailed. */
export async function requestScan(
  scanner: Scanner,
  { repository, digest, media_type, pass, report }: Wanted,
  asking: Asking = {}
): Promise<string> {
  const value = {
    registry: { url: scanner.registry, authorization: `Basic ${Buffer.from(`scanner:${pass}`).toString('base64')}` },
    artifact: { repository, digest, mime_type: media_type },
    ...(report.typed && { enabled_capabilities: [{ type: 'vulnerability', produces_mime_types: [report.type] }] }),
  }
  const body = { type: interfaceOf('scan.request', report.typed ? '1.1' : '1.0'), value }
  const answer = await askScanner(
    scanner,
    'scan',
    { method: 'POST', accept: `${interfaceOf('scan.response', '1.0')}, ${interfaceOf('error', '1.0')}`, body, most: 1 },
    asking
  )
  if (answer.status !== 202) throw failureOf(answer, 'The scanner does not take the image')
  const { id } = parseObject(answer.text, 'The answer')
  if (typeof id !== 'string' || !/^[^\p{Cc}\p{Cs}]{1,300}$/u.test(id))
    throw new ScanFailed('failed', 'The scanner did not say what it calls the scan')
  return id
}

const usualWait = 5 // seconds
const longestWait = 300
/** MiB. */
const largestReport = 32

/** Asks for the report of a scan; how many seconds to wait where it is not done. Throws ScanFailed. */
export async function askForReport(
  scanner: Scanner,
  { scan_id, report_type, digest }: { scan_id: string; report_type: string; digest: string },
  asking: Asking = {}
): Promise<{ wait: number } | { report: ReadReport }> {
  const answer = await askScanner(
    scanner,
    `scan/${encodeURIComponent(scan_id)}/report`,
    { accept: `${report_type}, ${interfaceOf('error', '1.0')}`, most: largestReport },
    asking
  )
  if (answer.status === 302) {
    const said = Number(answer.headers.get('refresh-after') ?? answer.headers.get('retry-after') ?? usualWait)
    return { wait: Number.isFinite(said) ? Math.min(longestWait, Math.max(1, Math.ceil(said))) : usualWait }
  }
  if (answer.status === 404) throw new ScanFailed('failed', 'The scanner no longer knows the scan')
  if (answer.status !== 200) throw failureOf(answer, 'The scanner could not scan the image')
  if (answer.type !== plainType(report_type))
    throw new ScanFailed(
      'for_good',
      `The scanner sends ${answer.type.slice(0, 100) || 'no type'} in place of the report that was asked for`
    )
  return { report: readReport(parseObject(answer.text, 'The report'), digest) }
}

import { expect, test } from 'vitest'
import type { Scanner } from '@masthead/server/kernel/scanner-settings'
import { readReport } from './read-report.ts'
import { askForReport, requestScan } from './request-scan.ts'
import { askWhatItIs, reportTypeFor } from './scanner-says.ts'
import { harborReport, metadata, notDone, openScanner, report, saying, vulnerability, vulnerabilityReport } from './test-scanner.ts'

// What a scanner may answer, and what is made of it: nothing of it is believed before it was looked at.
const digest = `sha256:${'a'.repeat(64)}`
const ociManifest = 'application/vnd.oci.image.manifest.v1+json'
const wanted = {
  repository: 'acme/app',
  digest,
  media_type: ociManifest,
  pass: 'secret',
  report: { type: vulnerabilityReport, typed: false },
}
const like = (pattern: RegExp) => expect.stringMatching(pattern) as string
const waited = { scan_id: 'scan/1 ?', report_type: vulnerabilityReport, digest }

test('a scanner says what it is, and takes a scan with where and how to pull', async () => {
  await using trivy = await openScanner()
  const says = await askWhatItIs(trivy.scanner)
  expect(says).toMatchObject({ name: 'Trivy 0.50.1', database_at: new Date('2026-11-25T06:00:00Z') })
  expect(reportTypeFor(says, ociManifest)).toEqual({ type: vulnerabilityReport, typed: false })
  expect(() => reportTypeFor(says, 'application/x')).toThrow('Trivy 0.50.1 does not look into application/x')
  expect(await requestScan(trivy.scanner, wanted)).toBe('scan/1')
  expect(trivy.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer of-scanner', 'Bearer of-scanner'])
  const [, scan] = trivy.received
  expect(scan!.headers['content-type']).toBe('application/vnd.scanner.adapter.scan.request+json; version=1.0')
  expect(scan!.body).toEqual({
    registry: { url: 'http://127.0.0.1:1', authorization: `Basic ${Buffer.from('scanner:secret').toString('base64')}` },
    artifact: { repository: 'acme/app', digest, mime_type: ociManifest },
  })
})

test('one that tells kinds of reports apart is asked for vulnerabilities alone, and for a report that it makes', async () => {
  await using trivy = await openScanner()
  const consumes_mime_types = [ociManifest]
  trivy.answers.metadata = metadata({
    capabilities: [
      { type: 'sbom', consumes_mime_types, produces_mime_types: ['application/vnd.security.sbom.report+json; version=1.0'] },
      { type: 'vulnerability', consumes_mime_types, produces_mime_types: [harborReport.replace('; ', ';').toUpperCase()] },
    ],
    properties: null,
  })
  const says = await askWhatItIs(trivy.scanner)
  expect(says.database_at).toBeNull()
  const type = reportTypeFor(says, ociManifest)
  expect(type).toEqual({ type: harborReport, typed: true })
  await requestScan(trivy.scanner, { ...wanted, report: type })
  expect(trivy.received.at(-1)!.headers['content-type']).toBe('application/vnd.scanner.adapter.scan.request+json; version=1.1')
  expect(trivy.asked()[0]!.enabled_capabilities).toEqual([{ type: 'vulnerability', produces_mime_types: [harborReport] }])
  trivy.answers.metadata = metadata({ capabilities: [{ consumes_mime_types, produces_mime_types: ['application/x'] }] })
  const other = await askWhatItIs(trivy.scanner)
  expect(() => reportTypeFor(other, ociManifest)).toThrow('makes no report that is understood here')
})

test('a report that is not done says when to ask again, and that is kept within bounds', async () => {
  await using trivy = await openScanner()
  for (const [said, wait] of [
    [15, 15],
    [0, 1],
    [99_999, 300],
  ] as const) {
    trivy.answers.report = notDone(said)
    expect(await askForReport(trivy.scanner, waited)).toEqual({ wait })
  }
  trivy.answers.report = saying(302, '', 'text/plain', { 'refresh-after': 'soon' })
  expect(await askForReport(trivy.scanner, waited)).toEqual({ wait: 5 })
  // Its own name for the scan is part of the address, whatever is in it.
  expect(trivy.received.at(-1)!.path).toBe('/api/v1/scan/scan%2F1%20%3F/report')
})

test('reports are read: the worst first, each once, bounded, and of this image', async () => {
  await using trivy = await openScanner()
  trivy.answers.report = report([
    vulnerability('CVE-1', 'Negligible', 'bash'),
    vulnerability('CVE-2', 'Critical', 'openssl', { fix_version: '' }),
    vulnerability('CVE-2', 'Critical', 'openssl', { fix_version: '' }),
    vulnerability('CVE-3', 'Odd', `zlib\0${'x'.repeat(1000)}`, { version: 7, description: null }),
    { severity: 'High' },
    'nothing' as never,
  ])
  const answer = await askForReport(trivy.scanner, waited)
  expect(answer).toMatchObject({
    report: {
      scanner: 'Trivy 0.50.1',
      vulnerabilities: 3,
      counts: { critical: 1, high: 0, medium: 0, low: 1, unknown: 1 },
      beyond: { critical: 0, unknown: 0 },
      kept: [
        { id: 'CVE-2', severity: 'critical', package: 'openssl', version: '1.0.0', fixed_in: null, summary: 'openssl is wrong' },
        { id: 'CVE-1', severity: 'low', fixed_in: '1.0.1' },
        { id: 'CVE-3', severity: 'unknown', version: '', summary: '' },
      ],
    },
  })
  const kept = (answer as { report: ReturnType<typeof readReport> }).report.kept[2]!
  expect(kept.package.length).toBeLessThanOrEqual(300)
  expect(kept.package).not.toContain('\0')
  const many = Array.from({ length: 5100 }, (_, n) => vulnerability(`CVE-${n}`, n < 5000 ? 'High' : 'Low', 'many'))
  expect(readReport({ generated_at: 'now', vulnerabilities: many }, digest)).toMatchObject({
    vulnerabilities: 5100,
    counts: { high: 5000, low: 100 },
    beyond: { high: 0, low: 100 },
  })
  expect(readReport({ generated_at: 'now', vulnerabilities: null }, digest)).toMatchObject({ vulnerabilities: 0, kept: [] })
})

const asks: Record<'metadata' | 'scan' | 'report', (scanner: Scanner) => Promise<unknown>> = {
  metadata: (scanner) => askWhatItIs(scanner),
  scan: (scanner) => requestScan(scanner, wanted),
  report: (scanner) => askForReport(scanner, waited),
}
const error = (message: string) => ({ error: { message } })
const huge = JSON.stringify({ generated_at: 'now', vulnerabilities: [], filling: 'x'.repeat(33 * 1024 * 1024) })

test.each([
  ['metadata', saying(200, '<html>', 'text/html'), 'failed', 'What answers at SCANNER_URL is no scanner: it sends text/html'],
  ['metadata', saying(404), 'failed', 'The scanner does not say what it is (404)'],
  ['metadata', saying(302, '', 'text/plain', { location: 'http://169.254.169.254/' }), 'failed', /\(302\)/],
  ['metadata', saying(401), 'failed', 'The scanner does not accept SCANNER_AUTHORIZATION (401)'],
  [
    'metadata',
    saying(200, '[]', 'application/vnd.scanner.adapter.metadata+json'),
    'failed',
    'The metadata of the scanner is no JSON object',
  ],
  ['scan', saying(500, error('no room')), 'failed', 'The scanner does not take the image (500: no room)'],
  ['scan', saying(503), 'away', /\(503\)/],
  ['scan', saying(422, error('no digest')), 'for_good', 'The scanner does not take the image (422: no digest)'],
  ['scan', saying(501), 'for_good', /\(501\)/],
  ['scan', saying(202, { id: '' }), 'failed', 'The scanner did not say what it calls the scan'],
  ['scan', saying(202, 'thanks'), 'for_good', /no JSON object/],
  ['report', saying(404), 'failed', 'The scanner no longer knows the scan'],
  ['report', saying(500, error('crashed\0')), 'failed', 'The scanner could not scan the image (500: crashed)'],
  ['report', report([], harborReport), 'for_good', /^The scanner sends application\/vnd\.scanner\.adapter\.vuln\.report\.harbor/],
  ['report', saying(200, '{', vulnerabilityReport), 'for_good', 'The report of the scanner is no JSON object'],
  ['report', saying(200, {}, vulnerabilityReport), 'for_good', 'What the scanner sends is no report of vulnerabilities'],
  [
    'report',
    saying(200, { generated_at: 'now', vulnerabilities: 'none' }, vulnerabilityReport),
    'for_good',
    /no report of vulnerabilities/,
  ],
  ['report', report([], vulnerabilityReport, { artifact: { digest: `sha256:${'b'.repeat(64)}` } }), 'failed', /about another image/],
  ['report', saying(200, huge, vulnerabilityReport), 'for_good', 'The scanner’s answer is larger than 32 MiB'],
] as const)('%s that goes wrong is said in words: %#', async (what, answer, kind, words) => {
  await using trivy = await openScanner()
  trivy.answers[what] = answer
  const failed = await asks[what](trivy.scanner).then(
    () => null,
    (why: Error) => why
  )
  expect(failed).toMatchObject({ name: 'ScanFailed', kind, message: typeof words === 'string' ? words : like(words) })
})

test('one that is slow, cuts the connection, or is not there is tried again', async () => {
  await using trivy = await openScanner()
  trivy.answers.report = () => {}
  await expect(askForReport(trivy.scanner, waited, { within: 50 })).rejects.toMatchObject({
    kind: 'away',
    message: 'The scanner did not answer within 0.05 s',
  })
  trivy.answers.report = (reply) => void reply.writeHead(200, { 'content-type': vulnerabilityReport }).write('{"generated_at":')
  await expect(askForReport(trivy.scanner, waited, { within: 50 })).rejects.toMatchObject({ kind: 'away', message: like(/did not answer/) })
  trivy.answers.report = (reply) => void reply.destroy()
  await expect(askForReport(trivy.scanner, waited)).rejects.toMatchObject({ kind: 'away', message: like(/cut the connection/) })
  const gone = { ...trivy.scanner, url: 'http://127.0.0.1:1' }
  await expect(askForReport(gone, waited)).rejects.toMatchObject({ kind: 'away' })
})

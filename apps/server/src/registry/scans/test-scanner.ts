import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scanner } from '../../kernel/scanner-settings.ts'

export const vulnerabilityReport = 'application/vnd.security.vulnerability.report; version=1.1'
export const harborReport = 'application/vnd.scanner.adapter.vuln.report.harbor+json; version=1.0'
const ociManifest = 'application/vnd.oci.image.manifest.v1+json'

type ScanBody = {
  registry: { url: string; authorization: string }
  artifact: { repository: string; digest: string; mime_type: string }
  enabled_capabilities?: { type: string; produces_mime_types: string[] }[]
}
type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: ScanBody | null }
type Answer = (reply: ServerResponse, received: Received) => void

/** An answer with a status, a type and a body. */
export const saying =
  (status: number, body: unknown = {}, type = 'application/json', headers: Record<string, string> = {}): Answer =>
  (reply) =>
    void reply.writeHead(status, { 'content-type': type, ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body))

export const metadata = (more: object = {}, about: object = {}) =>
  saying(
    200,
    {
      scanner: { name: 'Trivy', vendor: 'Aqua Security', version: '0.50.1', ...about },
      capabilities: [{ consumes_mime_types: [ociManifest], produces_mime_types: [harborReport, vulnerabilityReport] }],
      properties: { 'harbor.scanner-adapter/vulnerability-database-updated-at': '2026-11-25T06:00:00Z' },
      ...more,
    },
    'application/vnd.scanner.adapter.metadata+json; version=1.0'
  )

export const vulnerability = (id: string, severity: string, name: string, more: object = {}) => ({
  id,
  severity,
  package: name,
  version: '1.0.0',
  fix_version: '1.0.1',
  description: `${name} is wrong\nand more of it`,
  links: [],
  ...more,
})
export const report = (vulnerabilities: object[] | null, type = vulnerabilityReport, more: object = {}) =>
  saying(
    200,
    { generated_at: '2026-11-26T10:00:00Z', scanner: { name: 'Trivy', version: '0.50.1' }, severity: 'High', vulnerabilities, ...more },
    type
  )
/** Not done yet. */
export const notDone = (seconds: number) => saying(302, '', 'text/plain', { 'refresh-after': String(seconds), location: '/elsewhere' })

/** A scanner of images that speaks the interface, on a free port of this machine. What it says is decided by who holds it. */
export async function openScanner() {
  const received: Received[] = []
  let scans = 0
  const answers = {
    metadata: metadata(),
    scan: ((reply, each) => saying(202, { id: `scan/${++scans}` })(reply, each)) as Answer,
    report: report([vulnerability('CVE-1', 'High', 'openssl')]) as Answer,
  }
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString()
      const path = request.url!
      const each: Received = {
        method: request.method!,
        path,
        headers: request.headers,
        body: text === '' ? null : (JSON.parse(text) as ScanBody),
      }
      received.push(each)
      if (request.method === 'GET' && path === '/api/v1/metadata') answers.metadata(reply, each)
      else if (request.method === 'POST' && path === '/api/v1/scan') answers.scan(reply, each)
      else if (request.method === 'GET' && /^\/api\/v1\/scan\/[^/]+\/report$/.test(path)) answers.report(reply, each)
      else saying(418, 'no such thing')(reply, each)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  /** As a scanner of an installation. */
  const scanner: Scanner = {
    url: `http://127.0.0.1:${port}`,
    authorization: 'Bearer of-scanner',
    registry: 'http://127.0.0.1:1',
    atOnce: 2,
  }
  return {
    scanner,
    received,
    answers,
    /** What it was asked to scan. */
    asked: () => received.flatMap(({ body }) => (body ? [body] : [])),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export type TestScanner = Awaited<ReturnType<typeof openScanner>>

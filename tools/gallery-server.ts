import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const kinds: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}

// What the product sends, so that a piece which needs more is found here.
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Serves a folder of built files on a free port of this machine alone. */
export async function serveFolder(folder: string) {
  const server = createServer((request, response) => {
    // Where a test begins.
    if (request.url === '/healthz') return response.end('ok')
    const path = join(folder, normalize(decodeURI(new URL(request.url ?? '/', 'http://localhost').pathname)))
    const kind = kinds[extname(path)]
    if (!kind || !existsSync(path)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': kind, 'content-security-policy': policy })
    createReadStream(path).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

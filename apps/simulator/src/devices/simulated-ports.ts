import { createServer } from 'node:http'
import { Duplex, duplexPair } from 'node:stream'
import type { Dial } from '@masthead/agent/tunnel/tunnel'
import type { PlannedDevice } from './device-plan.ts'
import { board, type Vitals } from './vitals.ts'

type ShownDevice = Pick<PlannedDevice, 'name' | 'kind'> & {
  containers: () => readonly string[]
  measure: () => ReturnType<Vitals['measure']>
}

const itself = '127.0.0.1'
const webPort = 80
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'`,
  'cache-control': 'no-store',
  connection: 'close',
}

/** The ports of a device that is played: its status page at port 80, and no other is open. None of them is one of the machine that plays it. */
export function simulatedPorts(device: ShownDevice): Dial {
  // It listens nowhere: connections are handed to it.
  const server = createServer((request, response) => {
    const isPage = /^\/(\?|$)/.test(request.url ?? '')
    const may = request.method === 'GET' || request.method === 'HEAD'
    const [status, html]: [number, string] = !may
      ? [405, 'This page is only read']
      : isPage
        ? [200, statusPage(device)]
        : [404, 'There is no such page']
    response.writeHead(status, headers).end(html)
  })
  return ({ host, port }) => {
    if (host !== itself) return failed(`connect EHOSTUNREACH ${host}:${port}`)
    if (port !== webPort) return failed(`connect ECONNREFUSED ${host}:${port}`)
    const [outside, inside] = duplexPair({ allowHalfOpen: true })
    for (const [end, other] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      end.on('error', () => {})
      end.once('close', () => other.destroy())
    }
    server.emit('connection', inside)
    setImmediate(() => outside.destroyed || outside.emit('connect'))
    return outside
  }
}

const failed = (words: string): Duplex => new Duplex().destroy(new Error(words))

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`)
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

function statusPage({ name, kind, containers, measure }: ShownDevice): string {
  const now = measure()
  const [days, hours] = [Math.floor(now.uptime_s / 86_400), Math.floor(now.uptime_s / 3600) % 24]
  const rows = {
    Board: board.name(kind),
    Kernel: board.kernel,
    'Up for': `${days} d ${hours} h`,
    Processor: `${now.cpu_pct.toFixed(1)} %`,
    Memory: `${gigabytes(now.memory_used_bytes)} of ${gigabytes(now.memory_total_bytes)}`,
    Disk: `${gigabytes(now.disk_used_bytes)} of ${gigabytes(now.disk_total_bytes)}`,
    Temperature: `${now.temperature_c.toFixed(1)} °C`,
    Containers: containers().join(', ') || 'none',
  }
  const lines = Object.entries(rows).map(([what, is]) => `<tr><th scope="row">${what}</th><td>${escaped(is)}</td></tr>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="10">
<title>${escaped(name)}</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 32rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #8886; padding: .4rem 0; text-align: left; vertical-align: top }
th { font-weight: 500; width: 9rem }
</style>
</head>
<body>
<h1>${escaped(name)}</h1>
<p>This device is simulated. Its status, measured now:</p>
<table>
${lines.join('\n')}
</table>
</body>
</html>
`
}

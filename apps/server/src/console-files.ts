import fastifyStatic from '@fastify/static'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { settingsName, type ConsoleSettings } from '@masthead/contract/kernel/settings'

/**
 * Serves the built console: hashed assets for a year, the page itself, with the installation's settings in it, never from a cache. Unknown
 * paths are the console's (history routing). The page names its files from the root of the host, because it is shown at paths of any depth.
 */
export async function mountConsole(server: FastifyInstance, consoleDir: string, settings: () => ConsoleSettings) {
  const page = join(consoleDir, 'index.html')
  const hashed = join(consoleDir, 'static/')
  const built = existsSync(page)
  const meta = () => `<meta name="${settingsName}" content="${escaped(JSON.stringify(settings()))}" />`
  if (built) {
    await server.register(fastifyStatic, {
      root: consoleDir,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        void reply.header('cache-control', path.startsWith(hashed) ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  const sendPage = async (reply: FastifyReply) => {
    if (!built) throw new Problem(notFound, 'The console is not built here. npm start builds it')
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(
        (await readFile(page, 'utf8'))
          .replaceAll(/ (src|href)="\.\//g, (_, name: string) => ` ${name}="${settings().base_path ?? ''}/`)
          .replace('</head>', () => `${meta()}</head>`)
      )
  }
  server.get('/', (_request, reply) => sendPage(reply))
  server.setNotFoundHandler(async (request, reply) => {
    if (!wantsPage(request)) throw new Problem(notFound)
    return sendPage(reply)
  })
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** A page is asked for by a browser, not by a script that lost its file, nor by a program that calls an address we do not have. */
function wantsPage({ method, url, headers }: FastifyRequest) {
  if (method !== 'GET' && method !== 'HEAD') return false
  const [path = ''] = url.split('?')
  if (/^\/(v1|v2|static|healthz|readyz|metrics|mqtt)(\/|$)/.test(path)) return false
  return (headers.accept ?? '').includes('text/html')
}

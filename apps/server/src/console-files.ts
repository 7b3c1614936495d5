import fastifyStatic from '@fastify/static'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, Problem } from '@masthead/contract/kernel/problem'

/** Serves the built console: hashed assets for a year, the page itself never from a cache. Unknown paths are the console's (history routing). */
export async function mountConsole(server: FastifyInstance, consoleDir: string) {
  const page = join(consoleDir, 'index.html')
  const hashed = join(consoleDir, 'static/')
  const built = existsSync(page)
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
      .send(await readFile(page))
  }
  server.get('/', (_request, reply) => sendPage(reply))
  server.setNotFoundHandler(async (request, reply) => {
    if (!wantsPage(request)) throw new Problem(notFound)
    return sendPage(reply)
  })
}

/** A page is asked for by a browser, not by a script that lost its file, nor by a program that calls an address we do not have. */
function wantsPage({ method, url, headers }: FastifyRequest) {
  if (method !== 'GET' && method !== 'HEAD') return false
  const [path = ''] = url.split('?')
  if (/^\/(v1|v2|static|healthz|readyz|metrics|mqtt)(\/|$)/.test(path)) return false
  return (headers.accept ?? '').includes('text/html')
}

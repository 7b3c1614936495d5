import fastifyStatic from '@fastify/static'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { notFound, Problem } from '@masthead/contract/kernel/problem'

/** Serves the built console: hashed assets for a year, the page itself never from a cache. Unknown paths are the console's (history routing). */
export async function mountConsole(server: FastifyInstance, consoleDir: string) {
  const page = join(consoleDir, 'index.html')
  const built = existsSync(page)
  if (built) {
    await server.register(fastifyStatic, {
      root: consoleDir,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        void reply.header('cache-control', path.includes('/static/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  server.setNotFoundHandler(async (request, reply) => {
    const wantsPage =
      request.method === 'GET' &&
      !/^\/(v1|v2|static|healthz|readyz|metrics|mqtt)\b/.test(request.url) &&
      (request.headers.accept ?? '').includes('text/html')
    if (!wantsPage || !built) throw new Problem(notFound)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await readFile(page))
  })
}

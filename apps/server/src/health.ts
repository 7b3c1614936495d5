import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { App } from './kernel/app.ts'
import { addUsageFigures } from './usage/index.ts'

/** Each part of this process and whether it is up. Figures of other processes come with `metrics`. */
export type Readiness = { parts: () => Record<string, boolean>; metrics?: () => Promise<string> }

const soon = <T>(promise: Promise<T>, ms: number) =>
  Promise.race([promise, new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no answer')), ms).unref())])

/** `/healthz`: the process runs. `/readyz`: database and every part are up. `/metrics`: Prometheus. */
export function mountHealth(server: FastifyInstance, app: App, ready: Readiness) {
  addUsageFigures(app)
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_request, reply) => {
    const database = await soon(sql`select 1`.execute(app.db), 2000).then(
      () => true,
      () => false
    )
    const parts: Record<string, boolean> = { database, ...ready.parts() }
    const ok = Object.values(parts).every(Boolean)
    return reply.code(ok ? 200 : 503).send({ ok, parts })
  })
  server.get('/metrics', async (_request, reply) => {
    void reply.type(app.metrics.registry.contentType)
    return (await app.metrics.registry.metrics()) + ((await ready.metrics?.()) ?? '')
  })
}

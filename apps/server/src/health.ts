import type { FastifyInstance } from 'fastify'
import type { App } from './kernel/app.ts'
import { openSchemaProbe } from './kernel/database/schema-served.ts'
import { openWriteProbe } from './kernel/database/write-probe.ts'
import { addUsageFigures } from './usage/index.ts'

/** Each part of this process by its name: null while it is up, else why it is not, in words. Figures of other processes come with `metrics`. */
export type Readiness = { parts: () => Record<string, string | null>; metrics?: () => Promise<string> }

/** A part that is started again when it ends by itself. */
export type Part = { isUp: () => boolean; tooOften: () => number }

/** Why a part that is started again when it falls is not up, or not to be relied on; null while it is. */
export function wordsOfPart(name: string, { isUp, tooOften }: Part): string | null {
  const times = tooOften()
  if (times > 0) return `${name} ended ${times} times in a row; it is started again each time`
  return isUp() ? null : `${name} is not up`
}

/** `/healthz`: the process runs. `/readyz`: the database takes writes, no newer program has left us behind, and every part is up. `/metrics`: Prometheus. */
export function mountHealth(server: FastifyInstance, app: App, ready: Readiness) {
  addUsageFigures(app)
  const whyNoWrite = openWriteProbe(app.db)
  const whyNotServed = openSchemaProbe(app.pool)
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_request, reply) => {
    const [database, schema] = await Promise.all([whyNoWrite(), whyNotServed()])
    const found = { database, schema, ...ready.parts() }
    const words = Object.values(found).filter((why) => why !== null)
    const ok = words.length === 0
    const parts = Object.fromEntries(Object.entries(found).map(([name, why]) => [name, why === null]))
    return reply.code(ok ? 200 : 503).send({ ok, parts, ...(!ok && { words }) })
  })
  server.get('/metrics', async (_request, reply) => {
    void reply.type(app.metrics.registry.contentType)
    return (await app.metrics.registry.metrics()) + ((await ready.metrics?.()) ?? '')
  })
}

import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, notFound, Problem } from '@masthead/contract/kernel/problem'
import type { App } from '../kernel/app.ts'
import { openSchemaProbe } from '../kernel/database/migrations/schema-served.ts'
import { openWriteProbe } from '../kernel/database/write-probe.ts'

/** Each part of this process by its name: null while it is up, else why it is not, in words. Figures of other processes come with `metrics`. */
export type Readiness = {
  parts: () => Record<string, string | null> | Promise<Record<string, string | null>>
  metrics?: () => Promise<string>
}

/** A part that is started again when it ends by itself. `whyIdle`: null unless it is up and does nothing. */
export type Part = { isUp: () => boolean; tooOften: () => number; whyIdle?: () => string | null }

/** Why a part that is started again when it falls is not up, or not to be relied on; null while it is. */
export function wordsOfPart(name: string, { isUp, tooOften, whyIdle }: Part): string | null {
  const times = tooOften()
  if (times > 0) return `${name} ended ${times} times in a row; it is started again each time`
  return isUp() ? (whyIdle?.() ?? null) : `${name} is not up`
}

/** `/healthz`: the process runs. `/readyz`: the database takes writes, no newer program has left us behind, and every part is up. */
export function mountHealth(server: FastifyInstance, app: App, ready: Readiness) {
  const whyNoWrite = openWriteProbe(app.db)
  const whyNotServed = openSchemaProbe(app.pool)
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_request, reply) => {
    const [database, schema, parts] = await Promise.all([whyNoWrite(), whyNotServed(), ready.parts()])
    const found = { database, schema, ...parts }
    const words = Object.values(found).filter((why) => why !== null)
    const ok = words.length === 0
    const up = Object.fromEntries(Object.entries(found).map(([name, why]) => [name, why === null]))
    return reply.code(ok ? 200 : 503).send({ ok, parts: up, ...(!ok && { words }) })
  })
}

/** Figures for Prometheus: of this process, and of those that it started. */
async function sendFigures(app: App, { metrics }: Readiness, reply: FastifyReply) {
  void reply.type(app.metrics.registry.contentType)
  return (await app.metrics.registry.metrics()) + ((await metrics?.()) ?? '')
}

const hash = (text: string) => createHash('sha256').update(text).digest()

function checkToken(request: FastifyRequest, token: string) {
  const [, given = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (!timingSafeEqual(hash(given), hash(token)))
    throw new Problem(forbidden, 'Metrics need the token of MASTHEAD_METRICS_TOKEN: Authorization: Bearer …')
}

/** `/metrics` at the console's address, for who has the token; without a token it is at an address of its own alone. */
export function mountFigures(server: FastifyInstance, app: App, ready: Readiness) {
  const { token } = app.config.metrics
  server.get('/metrics', async (request, reply) => {
    if (token === undefined)
      throw new Problem(
        notFound,
        'Metrics are on the port MASTHEAD_METRICS_PORT of this machine, or here once MASTHEAD_METRICS_TOKEN is set'
      )
    checkToken(request, token)
    return sendFigures(app, ready, reply)
  })
}

/** The same beside health, at the address of their own: to whoever reaches it, or to who has the token where there is one. */
export function mountOwnFigures(server: FastifyInstance, app: App, ready: Readiness) {
  const { token } = app.config.metrics
  mountHealth(server, app, ready)
  server.get('/metrics', async (request, reply) => {
    if (token !== undefined) checkToken(request, token)
    return sendFigures(app, ready, reply)
  })
}

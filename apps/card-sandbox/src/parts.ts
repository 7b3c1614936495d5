import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Entity } from './entity.ts'
import type { Events } from './events.ts'
import type { Intents } from './intents.ts'
import type { Parameters } from './parameters.ts'
import { invalid } from './refusal.ts'
import type { Store } from './store.ts'

/** What routes work with. */
export type Parts = { server: FastifyInstance; store: Store; events: Events; intents: Intents; now: () => Date; origin: () => string }

export const isOfServer = ({ headers }: FastifyRequest) => !(headers.authorization ?? '').startsWith('Bearer pk_')

export const publicFile = (name: string) => readFileSync(new URL(`../public/${name}`, import.meta.url), 'utf8')

/** A page of a list, newest first, as Stripe pages. */
export function listOf(url: string, all: readonly Entity[], query: Parameters) {
  const limit = Number(query.limit ?? 10)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw invalid('This value must be between 1 and 100.', 'limit')
  const after = query.starting_after ? all.findIndex(({ id }) => id === query.starting_after) + 1 : 0
  const before = query.ending_before ? all.findIndex(({ id }) => id === query.ending_before) : all.length
  // The page before something ends with it; all others begin where the request says.
  const [start, end] = query.ending_before ? [Math.max(0, before - limit), before] : [after, after + limit]
  const data = all.slice(start, end)
  return { object: 'list', url, data, has_more: query.ending_before ? start > 0 : end < all.length }
}

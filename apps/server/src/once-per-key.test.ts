import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isNothing, isWrite, type Operation } from '@masthead/contract/kernel/operation'
import { openHouse, type House } from '@masthead/testkit/house'
import { openIdentityProvider, type IdentityProvider } from '@masthead/testkit/identity-provider'
import { undone } from '@masthead/testkit/undone'
import * as z from 'zod/mini'
import { identityOf } from './auth/by-identity/test-provider.ts'
import { noIntegrations } from './kernel/integrations.ts'
import { routes } from './routes.ts'
import { callerFor, newScene, samples, type Sample } from './test-samples.ts'

// Every call that changes anything, sent many times at once with one key: it happens once, and all are answered the same. Generated over
// all of them, those that create or change rights among the rest: a call that is added is asked too, once it has a sample.

/** npm run nightly sends 1,000 keys. */
const keys = Number(process.env.MASTHEAD_IDEMPOTENCY_KEYS ?? 0)
const atOnce = 20
/** What takes longer runs on, and is counted beside the next. */
const patience = 120_000 // ms

/** Sessions are given to whoever signs in, each browser its own: what is done once is the account that is opened. */
const opensSessions = new Set(['auth.login', 'auth.register'])

// An upload is read as it comes, and says itself what of it is there already.
const writes: Operation[] = routes.map(({ op }) => op).filter((op) => isWrite(op) && op.takes === 'json')
const rounds = Array.from({ length: Math.max(1, Math.ceil(keys / writes.length)) }, (_, round) => round)

let house: House
let provider: IdentityProvider
beforeAll(async () => {
  const limits = { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 }
  provider = await openIdentityProvider([])
  house = await openHouse({ config: { limits, integrations: { ...noIntegrations, identity: identityOf(provider) } } })
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

/** Tries are counted, however they end. */
const uncounted = new Set(['attempt', 'api_key_window'])

/** Which rows count, of tables in which others come by themselves: a device is notified again of a tunnel that it has not come for. */
const countedRows: Record<string, RawBuilder<unknown>> = {
  staff_log: sql`where result <> 'refused'`,
  device_directive: sql`where payload->'data'->>'do' is distinct from 'tunnel'`,
}

let tables: { schema?: string; name: string }[] | undefined
/** How many rows each table has. */
async function countRows(): Promise<Record<string, number>> {
  tables ??= (await house.db.introspection.getTables()).filter(({ name, isView }) => !isView && !uncounted.has(name))
  const counts = tables.map(({ schema, name }) => {
    return sql`select ${sql.lit(name)} as name, count(*)::int as count from ${sql.table(`${schema}.${name}`)} ${countedRows[name] ?? sql``}`
  })
  const { rows } = await sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(house.db)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** What was added to each table, or taken, between two counts. */
function addedBetween(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const all = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
  return Object.fromEntries(all.filter(([, count]) => count !== 0))
}

const inputOf = ({ params, query, body }: Sample) => ({ params, query, body }) as never
const cases = rounds.flatMap((round) => writes.map((op) => [op.name, round, op] as const))

test.each(cases)('%s, sent many times at once, happens once: round %i', { timeout: patience }, async (_, round, op) => {
  // What is asked for again and again within an hour meets limits.
  house.clock.advance({ minutes: 5 })
  const on = await newScene(house)
  const { person, headers } = await callerFor(house, op, on)
  const { other, ...sample } = samples[op.name]?.(on) ?? {}
  const key = { ...headers, 'idempotency-key': `once-${op.name}-${round}` }
  const send = () => person.call(op, inputOf(sample), key)
  const before = await countRows()
  const ofOne = await undone(house, async () => (await send(), addedBetween(before, await countRows())))
  const answers = await Promise.all(Array.from({ length: atOnce }, send))
  const after = await countRows()
  const ofMany = addedBetween(before, after)
  if (opensSessions.has(op.name)) for (const counts of [ofOne, ofMany]) delete counts.session
  expect(ofMany).toEqual(ofOne)
  const [right, ...rest] = new Set(answers.map(({ status, text }) => `${status} ${text}`))
  expect(right).toMatch(/^200 /)
  expect(rest).toEqual([])
  const first = answers[0]!
  if (!isNothing(op.reply)) expect(z.safeParse(op.reply, first.body).error).toBeUndefined()
  // Neither a late one changes anything, nor one that asks for something else.
  expect((await send()).text).toBe(first.text)
  if (!isNothing(op.body) || op.path.includes('{')) {
    const changed = isNothing(op.body) ? { ...sample, params: other ?? { tag_id: 'another' } } : { ...sample, body: other }
    expect(await person.call(op, inputOf(changed as Sample), key)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  }
  const later = addedBetween(after, await countRows())
  if (opensSessions.has(op.name)) delete later.session
  expect(later).toEqual({})
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { areaOf, isWrite, keyScopeOf, type Operation } from '@masthead/contract/kernel/operation'
import { permissions } from '@masthead/contract/kernel/permission'
import { openHouse, type House } from '@masthead/testkit/house'
import { newKey, type Keyed } from './developers/test-keys.ts'
import { routes } from './routes.ts'
import { callerFor, isStaffCall, newScene, samples, type Scene } from './test-samples.ts'

// A database that takes no writes, such as a standby or one whose administrator made it read-only: what is asked is answered, and what is to be
// changed is refused in words.
const operations: Operation[] = routes.map(({ op }) => op)
const ownAreas = new Set(['auth', 'account', 'teams', 'backoffice'])
const named = (ops: Operation[]) => ops.map((op) => [op.name, op] as const)

let house: House
let scene: Scene
let key: Keyed
const callers = new Map<string, Awaited<ReturnType<typeof callerFor>> & { on: Scene }>()
beforeAll(async () => {
  const limits = { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 }
  house = await openHouse({ config: { limits } })
  scene = await newScene(house)
  key = await newKey(house, scene.owner, Object.keys(permissions))
  const changed = await newScene(house)
  for (const op of operations) {
    // What is made ready for one may be in the way of another.
    const on = isWrite(op) && !ownAreas.has(areaOf(op)) ? changed : isWrite(op) || isStaffCall(op) ? await newScene(house) : scene
    callers.set(op.name, { on, ...(await callerFor(house, op, on)) })
  }
  // When a session or a key was last used is written once a minute.
  house.clock.advance({ minutes: 2 })
  await house.database.readOnly()
}, 120_000)
afterAll(() => house[Symbol.asyncDispose]())

const inputOf = (op: Operation, on = scene) => {
  const { params, query, body } = samples[op.name]?.(on) ?? {}
  return { params, query, body } as never
}

/** What staff look at is written down before they see it. */
const audited = new Set([
  'backoffice.listSearchHits',
  'backoffice.getStaffAsset',
  'backoffice.listAccounts',
  'backoffice.getCustomer',
  'backoffice.listCustomerAssets',
  'backoffice.listStock',
  'backoffice.listQuarantine',
  'backoffice.exportStaffLog',
])
const refusal = { status: 503, body: { code: 'unavailable', detail: expect.stringMatching(/takes no writes.* try again/) } }

describe('with a database that takes no writes', () => {
  test.each(named(operations.filter((op) => !isWrite(op))))('%s goes on', async (_, op) => {
    const { person, headers, on } = callers.get(op.name)!
    const call = () => person.call(op, inputOf(op, on), headers)
    // The first finds that its connection was cut.
    if (audited.has(op.name)) await expect.poll(call).toMatchObject(refusal)
    else await expect.poll(async () => (await call()).status).toBe(200)
  })

  test.each(named(operations.filter((op) => !isWrite(op) && op.access !== 'public' && keyScopeOf(op) !== null)))(
    '%s goes on for an API key',
    async (_, op) => {
      expect(await key.call(op, inputOf(op))).toMatchObject({ status: 200 })
    }
  )

  test.each(named(operations.filter(isWrite)))('%s says that nothing can be changed', async (_, op) => {
    const { person, headers, on } = callers.get(op.name)!
    const answer = await person.call(op, inputOf(op, on), headers)
    // Some are refused before they write, and some find nothing to change.
    if (answer.status < 500) return
    expect(answer).toMatchObject(refusal)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })
})

test('/readyz says so, and is well again afterwards', async () => {
  await expect
    .poll(async () => (await house.server.inject('/readyz')).json())
    .toEqual({ ok: false, parts: { database: false }, words: ['The database is read-only and takes no writes'] })
  await house.database.writable()
  await expect.poll(async () => (await house.server.inject('/readyz')).statusCode, { timeout: 10_000 }).toBe(200)
})

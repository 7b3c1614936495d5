import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWrite, keyScopeOf, type Operation } from '@masthead/contract/kernel/operation'
import { permissions, staffPermissions } from '@masthead/contract/kernel/permission'
import { openHouse, type House } from '@masthead/testkit/house'
import { newKey, type Keyed } from './developers/test-keys.ts'
import { routes } from './routes.ts'
import { enter, isStaffCall, newScene, ownKeyOf, samples, type Scene } from './test-samples.ts'

// A database that takes no writes, such as a standby or one whose administrator made it read-only: what is asked is answered, and what is to be
// changed is refused in words.
const operations: Operation[] = routes.map(({ op }) => op)
const named = (ops: Operation[]) => ops.map((op) => [op.name, op] as const)

let house: House
let scene: Scene
let key: Keyed
let token: string
beforeAll(async () => {
  house = await openHouse({ config: { limits: { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 } } })
  scene = await newScene(house)
  key = await newKey(house, scene.owner, Object.keys(permissions))
  token = await enter(house, scene.owner, Object.keys(staffPermissions))
  // When a session or a key was last used is written once a minute.
  house.clock.advance({ minutes: 2 })
  await house.database.readOnly()
})
afterAll(() => house[Symbol.asyncDispose]())

const inputOf = (op: Operation) => {
  const { params, query, body } = samples[op.name]?.(scene) ?? {}
  return { params, query, body } as never
}
/** The owner, who is staff too. Nothing that is called changes anything for the next. */
const call = (op: Operation) =>
  scene.owner.call(op, inputOf(op), {
    ...(isStaffCall(op) && { 'x-backoffice-token': token }),
    ...(op.ownKey && { [op.ownKey]: ownKeyOf(op, scene) }),
  })

/** What staff look at is written down before they see it, and who takes the file of a report or a recording away. */
const audited = new Set([
  'terminal.exportRecording',
  'reports.exportReport',
  'reports.exportShared',
  'backoffice.listSearchHits',
  'backoffice.getStaffAsset',
  'backoffice.getStaffDevice',
  'backoffice.listAccounts',
  'backoffice.getCustomer',
  'backoffice.listCustomerAssets',
  'backoffice.getMoney',
  'backoffice.listCustomerTransactions',
  'backoffice.getCustomerTransactionUsage',
  'backoffice.listPayments',
  'backoffice.listCustomerDocuments',
  'backoffice.exportCustomerDocument',
  'backoffice.listStaffSupport',
  'backoffice.listBrokerClients',
  'backoffice.listStock',
  'backoffice.listCustomerPools',
  'backoffice.listQuarantine',
  'backoffice.exportStaffLog',
  'backoffice.listCorrections',
  'backoffice.getCorrectionPreview',
])
const refusal = { status: 503, body: { code: 'unavailable', detail: expect.stringMatching(/takes no writes.* try again/) } }

const refused: string[] = []

describe('with a database that takes no writes', () => {
  test.each(named(operations.filter((op) => !isWrite(op))))('%s goes on', async (_, op) => {
    // The first finds that its connection was cut.
    if (audited.has(op.name)) await expect.poll(() => call(op)).toMatchObject(refusal)
    else await expect.poll(async () => (await call(op)).status).toBe(200)
  })

  test.each(named(operations.filter((op) => !isWrite(op) && !audited.has(op.name) && op.access !== 'public' && keyScopeOf(op) !== null)))(
    '%s goes on for an API key',
    async (_, op) => {
      expect(await key.call(op, inputOf(op))).toMatchObject({ status: 200 })
    }
  )

  test.each(named(operations.filter(isWrite)))('%s says that nothing can be changed', async (_, op) => {
    const answer = await call(op)
    // Some are refused before they write, and some find nothing to change.
    if (answer.status < 500) return
    refused.push(op.name)
    expect(answer).toMatchObject(refusal)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })
})

test('most calls that change something get as far as to be refused for it', () => {
  expect(refused.length).toBeGreaterThan(operations.filter(isWrite).length / 2)
})

test('/readyz says so, and is well again afterwards', async () => {
  await expect
    .poll(async () => (await house.server.inject('/readyz')).json())
    .toEqual({ ok: false, parts: { database: false, schema: true }, words: ['The database is read-only and takes no writes'] })
  await house.database.writable()
  await expect.poll(async () => (await house.server.inject('/readyz')).statusCode, { timeout: 10_000 }).toBe(200)
})

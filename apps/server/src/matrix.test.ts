import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateAsset } from '@masthead/contract/assets/operations'
import { isNothing, needsNoPermission, type Operation } from '@masthead/contract/kernel/operation'
import { staffPermissions } from '@masthead/contract/kernel/permission'
import { openHouse, type House } from '@masthead/testkit/house'
import { openIdentityProvider, type IdentityProvider } from '@masthead/testkit/identity-provider'
import { undone } from '@masthead/testkit/undone'
import * as z from 'zod/mini'
import { securityBefore } from './account/test-security.ts'
import { identityOf } from './auth/by-identity/test-provider.ts'
import { backofficeBefore } from './backoffice/test-backoffice.ts'
import { noIntegrations } from './kernel/integrations.ts'
import { routes } from './routes.ts'
import { accessRows } from './test-access.ts'
import { callerNames, newCallers, type Caller } from './test-callers.ts'
import { expectedOf, staleExceptions } from './test-expected.ts'
import { samples, type Sample, type Scene, ownKeyOf } from './test-samples.ts'

// Every call of the API by everybody: what they are answered is what the rows of test-access.ts say, but for the exceptions of
// test-expected.ts. Each request is the right one for its caller, is really made, and is undone: so whoever may is answered 200, and one
// account does for all of it. A call that is added is asked by everybody; without a row it fails, and without a sample it is not answered 200.
const operations: Operation[] = routes.map(({ op }) => op)

let house: House
let provider: IdentityProvider
let callers: Map<string, Caller>
beforeAll(async () => {
  const limits = { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 }
  provider = await openIdentityProvider([])
  house = await openHouse({ config: { limits, integrations: { ...noIntegrations, identity: identityOf(provider) } } })
  callers = new Map((await newCallers(house)).map((caller) => [caller.name, caller]))
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

/** Status and code of an answer; one of 200 keeps what was promised. `bare`: nothing is sent. */
const answerTo = (op: Operation, { call, scene }: Caller, { bare = false } = {}) =>
  undone(house, async () => {
    await backofficeBefore[op.name]?.(house, scene)
    await securityBefore[op.name]?.(house, scene)
    const { params, query, body }: Sample = (!bare && samples[op.name]?.(scene)) || {}
    // The password was right: this cookie goes on.
    const headers: Record<string, string> = op.name === 'auth.passSecondStep' ? { cookie: `masthead_step=${scene.security.step}` } : {}
    if (op.ownKey) headers[op.ownKey] = ownKeyOf(op, scene)
    const answer = await call(op, { params, query, body } as never, headers)
    if (answer.status !== 200) return `${answer.status} ${answer.body?.code}`
    if (op.gives === 'csv') expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    else if (!isNothing(op.reply)) expect(z.safeParse(op.reply, answer.body).error, op.name).toBeUndefined()
    return '200'
  })

/** Nobody is asked who they are there, so once is enough for what takes long (a password is hashed); then nothing is sent. */
const bareAnswers = new Map<string, Promise<string>>()
const bareAnswer = (op: Operation) => {
  const nobody = callers.get('nobody signed in')!
  return bareAnswers.get(op.name) ?? bareAnswers.set(op.name, answerTo(op, nobody, { bare: true })).get(op.name)!
}

describe('what each call answers to', () => {
  test.each(callerNames)('%s', async (name) => {
    const caller = callers.get(name)!
    await caller.prepare?.()
    const [answered, expected]: Record<string, string>[] = [{}, {}]
    for (const op of operations) {
      const bare = op.access === 'public' && !['nobody', 'owner'].includes(caller.kind)
      expected![op.name] = bare ? await bareAnswer(op) : expectedOf(op, caller)
      answered![op.name] = await answerTo(op, caller, { bare })
    }
    expect(answered).toEqual(expected)
  })
})

/** The fields of bodies and queries that name something of the account, and what is another's there. */
const naming: Record<string, (others: Scene) => string | string[]> = {
  tags: ({ tag_id }) => [tag_id],
  tag: ({ tag_id }) => tag_id,
  asset_id: ({ active }) => active.id,
  asset_ids: ({ active }) => [active.id],
  alert_ids: ({ alert_id }) => [alert_id],
  card_id: ({ cards }) => cards.card_id,
  pool_id: ({ pool_id }) => pool_id,
  view_id: ({ view_id }) => view_id,
  pilot_asset_id: ({ active }) => active.id,
}
const fieldsOf = (schema: z.ZodMiniType) =>
  isNothing(schema)
    ? []
    : Object.keys((z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { properties?: object }).properties ?? {})
const forCustomers = operations.filter(({ access }) => access !== 'public' && !(access in staffPermissions))

describe('what belongs to another account', () => {
  const named = forCustomers.flatMap((op) =>
    (['body', 'query'] as const).flatMap((part) => fieldsOf(op[part]).map((field) => [op.name, part, field, op] as const))
  )

  test('is looked for wherever something is named', () => {
    // Packages are the installation's, and the id of a tax payer is a word of theirs.
    const names = named.filter(([name, , field]) => field !== 'tax_id' && !(name === 'datapools.buyPackage' && field === 'package_id'))
    const fields = new Set(names.map(([, , field]) => field).filter((field) => /(_ids?|^tags?)$/.test(field)))
    expect([...fields].toSorted()).toEqual(Object.keys(naming).toSorted())
  })

  /** Tags of an image are words of its repository. */
  const isOfImage = (name: string, field: string) => name.startsWith('registry.') && field === 'tag'
  test.each(named.filter(([name, , field]) => field in naming && !isOfImage(name, field)))(
    '%s: the %s finds none by its %s',
    async (_, part, field, op) => {
      const { call, scene } = callers.get('the owner')!
      const others = callers.get('the owner of a suspended account')!.scene
      const { other: _other, ...sample } = samples[op.name]?.(scene) ?? {}
      const changed = { ...sample, [part]: { ...(sample[part] as object), [field]: naming[field]!(others) } }
      await undone(house, async () => {
        if (part === 'body')
          return expect([
            [404, 'not_found'],
            [400, 'tag_unknown'],
            [400, 'pilot_not_in_fleet'],
            // The rule of the sample measures something else, and takes no view.
            ...(field === 'view_id' ? [[400, 'invalid_request']] : []),
          ]).toContainEqual(await call(op, changed as never).then(({ status, body }) => [status, body.code]))
        const { tag_id: tag, active, alert_id, owner } = others
        await owner.call(updateAsset, { params: { asset_id: active.id }, body: { name: 'Theirs', tags: [tag] } })
        await house.db.updateTable('alert').set({ asset_id: active.id }).where('id', '=', alert_id).execute()
        expect(found(await owner.call(op, changed as never)), 'they find it themselves').toBeGreaterThan(0)
        expect(found(await call(op, changed as never))).toBe(0)
      })
    }
  )
  const found = ({ status, body, text }: { status: number; body: unknown; text: string }) => {
    expect(status, text).toBe(200)
    const { total, reached } = (body ?? {}) as { total?: number; reached?: number }
    return total ?? reached ?? text.trimEnd().split('\n').length - 1
  }
})

/** What needs no permission: signing in and out, one's own person and teams, what every member sees (spec §2, §7). */
const needsNone = [
  /^(auth|account)\./,
  /^teams\.(listInvitations|approveInvitation|rejectInvitation|listMemberships|leaveTeam)$/,
  /^notifications\.(readAlerts|setPreference)$/,
  /^activities\./,
  /^networks\.listNetworks$/,
  /^backoffice\.(enterBackoffice|stopViewing)$/,
  /^demo\.listMail$/,
  // The prices of the installation, for whoever is signed in.
  /^billing\.(getPlan|(list|export)PlanPrices)$/,
  // By a link that was mailed.
  /^reports\.exportShared$/,
  // By a claim code, or by the key of a device.
  /^devices\.(claimDevice|getDesiredState|getRegistryLogin)$/,
  // By the key of a feed.
  /^(usage\.addFeedRecords|assets\.addConnectionEvents)$/,
]

test('every call has a row that says who may make it, and no row is left over', () => {
  expect(accessRows.toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
})

test('every other call needs a permission', () => {
  const open = operations.filter(({ access }) => access === 'public' || needsNoPermission(access)).map(({ name }) => name)
  expect(open.filter((name) => !needsNone.some((known) => known.test(name)))).toEqual([])
  expect(
    operations.filter(
      ({ name, access, ownKey }) =>
        access === 'public' && !ownKey && !/^(auth|account)\.|^reports\.exportShared$|^devices\.claimDevice$/.test(name)
    )
  ).toEqual([])
})

test('the list of callers is whole, and no exception is left over', () => {
  expect([...callers.keys()]).toEqual(callerNames)
  expect(staleExceptions(operations, [...callers.values()]).map(({ why }) => why)).toEqual([])
})

import { globSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { areaOf, isNothing, isWrite, keyScopeOf, type Operation } from '@masthead/contract/kernel/operation'
import { isPermission, permissions } from '@masthead/contract/kernel/permission'
import type { ProblemKind } from '@masthead/contract/kernel/problem'
import { openHouse, type House } from '@masthead/testkit/house'
import { openIdentityProvider, type IdentityProvider } from '@masthead/testkit/identity-provider'
import { undone } from '@masthead/testkit/undone'
import * as z from 'zod/mini'
import { identityOf } from './auth/by-identity/test-provider.ts'
import { describeApi } from './describe-api.ts'
import { noIntegrations } from './kernel/integrations.ts'
import { routes } from './routes.ts'
import { namesOf } from './test-names.ts'
import { callerFor, isStaffCall, newScene, samples, type Sample, type Scene } from './test-samples.ts'

// What every call owes, generated over all of them: a call that is added is swept without a word here, once it has a sample. Who may call
// is asked by matrix.test.ts.
const operations: Operation[] = routes.map(({ op }) => op)
const named = (ops: Operation[]) => ops.map((op) => [op.name, op] as const)
const guarded = operations.filter(({ access }) => access !== 'public')
const writes = operations.filter(isWrite)
const paramsOf = (op: Operation) => [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

let house: House
let provider: IdentityProvider
let scene: Scene
/** Another account, of which nothing may be found nor changed. */
let others: Scene
beforeAll(async () => {
  const limits = { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 }
  provider = await openIdentityProvider([])
  house = await openHouse({ config: { limits, integrations: { ...noIntegrations, identity: identityOf(provider) } } })
  scene = await newScene(house)
  others = await newScene(house)
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

/** What a test of one call changes is undone after it, so that one account serves all of them. */
const each = (ops: Operation[], name: string, work: (op: Operation) => Promise<void>) =>
  test.each(named(ops))(name, (_, op) => undone(house, () => work(op)))
const sampleOf = (op: Operation, on: Scene): Sample => samples[op.name]?.(on) ?? {}
const inputOf = ({ params, query, body }: Sample) => ({ params, query, body }) as never
/** An address needs something in its braces even where nobody gets as far as to look. */
const anywhere = (op: Operation) => ({ params: Object.fromEntries(paramsOf(op).map((name) => [name, 'x'])) }) as never

describe('promises', () => {
  test('every operation of the contract is kept, in the area of its name', async () => {
    const contract = new URL('../../../packages/contract/src/', import.meta.url)
    const promised: string[] = []
    for (const file of globSync('**/{operations,*-operations}.ts', { cwd: contract })) {
      const exported = (await import(new URL(file, contract).href)) as Record<string, Operation>
      for (const [constant, op] of Object.entries(exported)) {
        if (!op?.path || !op.access) continue
        promised.push(op.name)
        expect(op.name, `${file} exports it as ${constant}`).toBe(`${file.split('/')[0]!.replaceAll('-', '_')}.${constant}`)
      }
    }
    expect(operations.map(({ name }) => name).toSorted()).toEqual(promised.toSorted())
  })

  test.each(named(operations))('%s has a method and a name that say whether it changes anything', (_, op) => {
    const verb = op.name.split('.')[1]!
    if (!isWrite(op)) expect(verb).toMatch(/^(get|list|export)[A-Z]/)
    if (op.method === 'DELETE') expect(verb).toMatch(/^(delete|remove)[A-Z]/)
    if (op.method === 'PATCH') expect(verb).toMatch(/^update[A-Z]/)
    if (!isWrite(op)) expect(isNothing(op.body)).toBe(true)
    // To see is not to change. What is found by many numbers is kept for a day, as it is too long for an address, and a view of one's
    // own is what one looks at, by a name.
    if (isWrite(op) && !/^assets\.(findNumbers|(create|update|delete)View)$/.test(op.name)) expect(op.access).not.toMatch(/\.view$/)
    expect(op.path).toMatch(/^(\/([a-z0-9_-]+|\{[a-z_]+\}))+(\.csv|\.ndjson)?$/)
    for (const ending of ['csv', 'ndjson']) expect(op.path.endsWith(`.${ending}`)).toBe(op.gives === ending)
    if (!isNothing(op.query)) for (const field of fieldsOf(op.query)) expect(field).toMatch(/^[a-z][a-z0-9_]*$/)
  })

  test('a code means one problem everywhere, and no call declares one twice', () => {
    const declared = operations.flatMap(({ problems }) => problems)
    const byCode = Map.groupBy(declared, (kind: ProblemKind) => kind.code)
    // The same problem may have several names for programs of devices, and by each it is declared once.
    for (const [code, kinds] of byCode) expect(new Set(kinds.map(({ status, title }) => `${status} ${title}`)).size, code).toBe(1)
    for (const [code, kinds] of Map.groupBy(declared, ({ code, error }) => `${code} ${error}`)) expect(new Set(kinds).size, code).toBe(1)
    for (const { name, problems } of operations) expect(new Set(problems).size, name).toBe(problems.length)
    expect([...byCode.values()].flat().filter(({ status }) => (status as number) === 422 || status === 401)).toEqual([])
  })
})

describe('sent again with its key after rights were taken away', () => {
  const repeated = { 'idempotency-key': 'again' }
  const forbidden = { status: 403, body: { code: 'forbidden' } }
  const ofAccounts = writes.filter((op) => isPermission(op.access) && op.name !== 'teams.demandSecondFactor')
  each(ofAccounts, '%s: of who sees fewer assets by now it is 403, and the first answer is not shown', async (op) => {
    await callerFor(house, op, scene)
    const everything = Object.keys(permissions)
    const member = await house.newMember(scene.owner, everything)
    const first = await member.call(op, inputOf(sampleOf(op, scene)), repeated)
    expect(first.status, first.text).toBe(200)
    const rights = house.db.updateTable('membership').where('account_id', '=', scene.owner.account_id)
    await rights.set({ tags: [scene.tag_id] }).execute()
    expect(await member.call(op, inputOf(sampleOf(op, scene)), repeated)).toMatchObject(forbidden)
    await rights.set({ tags: [], permissions: everything.filter((name) => name !== op.access) }).execute()
    expect(await member.call(op, inputOf(sampleOf(op, scene)), repeated)).toMatchObject(forbidden)
  })

  const ofStaff = writes.filter((op) => isStaffCall(op) && op.takes === 'json')
  each(ofStaff, '%s: of who is staff no longer it is 403', async (op) => {
    const { person, headers } = await callerFor(house, op, scene)
    // As somebody has it who did not see the answer.
    const { cookie } = person
    const send = () => person.call(op, inputOf(sampleOf(op, scene)), { ...headers, ...repeated, cookie })
    expect((await send()).status).toBe(200)
    await house.db.updateTable('person').set({ permissions: [] }).where('email', '=', person.email).execute()
    expect((await send()).status).toBe(403)
  })
})

describe('without the right to', () => {
  test.each(named(writes))('%s: another site’s page is 403', async (_, op) => {
    const answer = await scene.owner.call(op, anywhere(op), { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'cross_site' } })
  })

  test.each(named(operations))('%s: asked for by a name that is not ours is 421, before anything else', async (_, op) => {
    const answer = await scene.owner.call(op, anywhere(op), { host: 'rebound.evil.test' })
    expect(answer).toMatchObject({ status: 421, body: { code: 'host_unknown', detail: expect.stringContaining('MASTHEAD_PUBLIC_URL') } })
  })

  const addressed = operations.filter((op) => paramsOf(op).length > 0)
  test.each(named(addressed))('%s: what belongs to another account is 404, like what does not exist', async (_, op) => {
    const before = await house.events(others.account_id)
    // Staff see every account, but nothing that does not exist.
    const { person, headers } = isStaffCall(op) ? await callerFor(house, op, scene) : { person: scene.owner, headers: {} }
    for (const name of paramsOf(op)) {
      const known = isStaffCall(op) ? [] : namesOf(others)[name]
      expect(known, `test-names.ts has no ${name}: what it is on a scene, or []`).toBeDefined()
      for (const id of [...known!, 'ast_00000000000000000000000000', '0', "' or 1=1 --", '../x', 'x'.repeat(250)]) {
        const { params, ...rest } = sampleOf(op, scene)
        const answer = await person.call(op, inputOf({ ...rest, params: { ...params, [name]: id } }), headers)
        expect([id, answer.status, answer.body.code]).toEqual([id, 404, 'not_found'])
      }
    }
    expect(await house.events(others.account_id)).toEqual(before)
  })

  const onAssets = operations.filter((op) => paramsOf(op).includes('asset_id'))
  test.each(named(onAssets))('%s: a member limited to a tag does not find assets without it', async (_, op) => {
    const member = await house.newMember(scene.owner, [op.access], [scene.tag_id])
    for (const asset_id of namesOf(scene).asset_id!) {
      const { params, ...rest } = sampleOf(op, scene)
      const answer = await member.call(op, inputOf({ ...rest, params: { ...params, asset_id } }))
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    }
  })
})

type Json = { properties?: Record<string, Json>; items?: Json; anyOf?: Json[]; maxItems?: number; additionalProperties?: unknown }

/** The fields of a body or query. */
const fieldsOf = (schema: z.ZodMiniType) =>
  Object.keys((z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { properties?: object }).properties ?? {})

test('what only people may do is what this list says, and a call that is added is asked about', () => {
  const forPeople = guarded.filter((op) => keyScopeOf(op) === null && !isStaffCall(op)).map(({ name }) => name)
  expect(
    forPeople.filter(
      (name) =>
        !/^(auth|account|backoffice|teams|notifications|demo)\.|^billing\.(getPlan|(list|export)PlanPrices)$|^terminal\.(openTerminal|joinTerminal|openTunnel|(allow|refuse)Support|updateSupportConsent|(update|remove)AccessCode|updateTunnelRules)$/.test(
          name
        )
    )
  ).toEqual([])
})

describe('what is sent', () => {
  const withBody = operations.filter((op) => !isNothing(op.body) && op.takes === 'json')
  each(withBody, '%s: a body of the wrong shape is 400 with every wrong field', async (op) => {
    const { person, headers } = await callerFor(house, op, scene)
    const { params } = sampleOf(op, scene)
    const fields = fieldsOf(op.body)
    const wrong = Object.fromEntries(fields.map((field) => [field, { not: ['this'] }]))
    const answer = await person.call(op, { params, body: wrong } as never, headers)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    const named = Object.keys(answer.body.fields!).map((field) => field.replace(/\..*/, ''))
    // A field with fields of its own may be named for each of them.
    expect([...new Set(named)].toSorted()).toEqual(fields.toSorted())
    for (const body of [[], 'text', 7]) {
      const payload = await person.call(op, { params, body } as never, { 'content-type': 'application/json', ...headers })
      expect([body, payload.status]).toEqual([body, 400])
    }
  })

  each(operations, '%s: a field it does not know is 400, in body and query, and nothing is done', async (op) => {
    const { person, headers } = await callerFor(house, op, scene)
    const { params, query, body } = sampleOf(op, scene)
    const more = { mispelt: '1' }
    const refused = { status: 400, body: { code: 'invalid_request', fields: { mispelt: 'Unknown field “mispelt”' } } }
    const before = await house.events(scene.account_id)
    expect(await person.call(op, { params, query: { ...query, ...more }, body } as never, headers)).toMatchObject(refused)
    if (isWrite(op) && op.takes === 'json')
      expect(await person.call(op, { params, query, body: { ...(body as object), ...more } } as never, headers)).toMatchObject(refused)
    expect(await house.events(scene.account_id)).toEqual(before)
  })

  const objectsIn = (schema: Json, path = ''): [string, Json][] => [
    ...(schema.properties ? [[path, schema] as [string, Json]] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => objectsIn(field, `${path}.${name}`)),
    ...[schema.items, ...(schema.anyOf ?? [])].flatMap((inner) => (inner ? objectsIn(inner, path) : [])),
  ]
  const listsIn = (schema: Json, path = ''): [string, Json][] => [
    ...(schema.items ? [[path, schema] as [string, Json]] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => listsIn(field, `${path}.${name}`)),
    ...[schema.items, ...(schema.anyOf ?? [])].flatMap((inner) => (inner ? listsIn(inner, path) : [])),
  ]
  const { paths: described } = describeApi() as unknown as {
    paths: Record<string, Record<string, { requestBody: { content: Record<string, { schema: Json }> } }>>
  }
  test.each(named(withBody))(
    '%s: its description says of every object in the body that there are no further fields, and how long every list may be',
    (_, op) => {
      const { schema } = described[op.path]![op.method.toLowerCase()]!.requestBody.content['application/json']!
      for (const [path, object] of objectsIn(schema)) expect([path, object.additionalProperties]).toEqual([path, false])
      // Of one that is longer no item is looked at: a megabyte of wrong ones is more than the schema can report.
      for (const [path, list] of listsIn(schema)) expect([path, list.maxItems]).toEqual([path, expect.any(Number)])
    }
  )

  const uploads = operations.filter(({ takes }) => takes !== 'json')
  each(uploads, '%s: JSON where a file is wanted is 400', async (op) => {
    const { person, headers } = await callerFor(house, op, scene)
    const answer = await person.call(op, { body: '{}' } as never, { ...headers, 'content-type': 'application/json' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  const asking = operations.filter((op) => !isWrite(op) && !isNothing(op.query))
  /** Texts, and places in a list, that a database or a library chokes on. */
  const place = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const odd = ['a\0b', 'fe80::1%eth0', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '9'.repeat(30), '__proto__', '%', '\\']
  const oddPlaces = [
    place('0000-01-01T00:00:00Z', 'x'),
    place('a\0b', 'x'),
    place(2 ** 53 - 1, 'x'),
    place('9'.repeat(30), 'x'),
    place(null, 'x'),
  ]
  test.each(named(asking))('%s: what cannot be looked for is refused or not there, and no failure of ours', async (_, op) => {
    const { params, query } = sampleOf(op, scene)
    const { person, headers } = isStaffCall(op) ? await callerFor(house, op, scene) : { person: scene.owner, headers: {} }
    for (const field of fieldsOf(op.query))
      for (const text of field === 'after' ? oddPlaces : odd) {
        const answer = await person.call(op, { params, query: { ...query, [field]: text } } as never, headers)
        expect([200, 400, 404], `${field}=${text}: ${answer.text}`).toContain(answer.status)
      }
  })

  const paged = operations.filter((op) => !isNothing(op.query) && fieldsOf(op.query).includes('page'))
  test.each(named(paged))('%s: a page or a place that cannot be is 400', async (_, op) => {
    const { params } = sampleOf(op, scene)
    const { person, headers } = isStaffCall(op) ? await callerFor(house, op, scene) : { person: scene.owner, headers: {} }
    for (const query of [
      { page: '0' },
      { page: 'x' },
      { page: '200001' },
      { page_size: '101' },
      { after: 'not a place' },
      { page: ['1', '2'] },
    ]) {
      const answer = await person.call(op, { params, query } as never, headers)
      expect([query, answer.status, answer.body.code]).toEqual([query, 400, 'invalid_request'])
    }
  })
})

test('the API describes itself: every call, every parameter, every problem', async () => {
  const answer = await house.server.inject('/v1/openapi.json')
  const document = answer.json<ReturnType<typeof describeApi> & { paths: Record<string, Record<string, Described>> }>()
  expect(document).toEqual(JSON.parse(JSON.stringify(describeApi())))
  for (const op of operations) {
    const call = document.paths[op.path]![op.method.toLowerCase()]!
    expect(call.operationId).toBe(op.name)
    expect(call.parameters.filter((each) => each.in === 'path').map((each) => each.name)).toEqual(paramsOf(op))
    for (const { code, status } of op.problems) expect(call.responses[status]!.description).toContain(code)
    expect(call.tags).toEqual([areaOf(op)])
  }
})
type Described = {
  operationId: string
  tags: string[]
  parameters: { in: string; name: string }[]
  responses: Record<string, { description: string }>
}

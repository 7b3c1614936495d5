import { permissions } from '../../packages/contract/src/kernel/permission.ts'
import type { Change } from './change.ts'
import { addEvent, sentenceOf } from './event.ts'
import { methodOf, nameOf, plural, Refused, singular, type Name } from './words.ts'

export type Asked = { area: string; name: string; onAsset: boolean; access?: string | undefined; event?: string | undefined }

/** Where everything of one call stands. */
export type Call = Asked & {
  op: Name
  verb: string
  /** What it is about, one of it. */
  noun: Name
  nouns: Name
  method: 'GET' | 'POST' | 'PUT'
  contract: string
  server: string
  /** The module that declares the operation, for an import, and what the routes call it. */
  module: string
  ops: string
  access: string
}

export function understand({ access: wanted, ...asked }: Asked): Call {
  const { area, name, onAsset } = asked
  const op = nameOf(name)
  const [verb = '', ...rest] = op.snake.split('_')
  if (rest.length === 0) throw new Refused(`${name} has a verb and a noun: list_notes, add_note`)
  if (onAsset && area !== 'assets') throw new Refused('--on-asset is for calls of the area assets')
  const method = methodOf(verb)
  const access = wanted ?? `${area}.${method === 'GET' ? 'view' : 'edit'}`
  if (!Object.hasOwn(permissions, access))
    throw new Refused(`There is no permission ${access}: name one with --access (packages/contract/src/kernel/permission.ts)`)
  const noun = nameOf(singular(rest.join('_')))
  const module = `@masthead/contract/${area}/${noun.kebab}-operations`
  const [contract, server] = [`packages/contract/src/${area}`, `apps/server/src/${area}`]
  return { ...asked, op, verb, noun, nouns: nameOf(plural(noun.snake)), method, access, contract, server, module, ops: `${noun.camel}Ops` }
}

/** The row of the operation, the route, what tests send, and who may: the same for every call. */
export function addOperation(
  change: Change,
  call: Call,
  fields: { query?: string; body?: string; reply?: string; imports: [string, string][] }
) {
  const { area, op, noun, nouns, verb, method, onAsset, access, contract, server } = call
  const path = `${contract}/${noun.kebab}-operations.ts`
  if (!change.has(path)) change.create(path, '')
  change.addImport(path, '{ operation }', '../kernel/operation.ts')
  if (onAsset) change.addImport(path, '{ notFound }', '../kernel/problem.ts')
  for (const [what, from] of fields.imports) change.addImport(path, what, from)
  const place = /^(list|add|create)$/.test(verb) ? nouns : noun
  const lines = [
    `name: '${area}.${op.camel}'`,
    `method: '${method}'`,
    `path: '${onAsset ? '/assets/{asset_id}' : ''}/${place.snake}'`,
    `summary: '${sentenceOf(op.snake)}'`,
    `access: '${access}'`,
    ...(['query', 'body', 'reply'] as const).flatMap((field) => (fields[field] ? [`${field}: ${fields[field]}`] : [])),
    ...(onAsset ? ['problems: [notFound]'] : []),
  ]
  change.append(path, `export const ${op.camel} = operation({\n${lines.map((line) => `  ${line},\n`).join('')}})\n`)
  const parts = [
    ...(onAsset ? ['params: { asset_id: active.id }'] : []),
    ...(fields.body ? [`body: { name: 'south' }, other: { name: 'east' }`] : []),
  ]
  const rows = `${server}/test-calls.ts`
  if (!change.has(rows))
    change.create(
      rows,
      `import type { CallRows } from '../test-calls.ts'\n\n/** Who may call what, and with what. */\nexport const calls: CallRows = {\n}\n`
    )
  const sample = parts.length > 0 ? `, sample: (${onAsset ? '{ active }' : ''}) => ({ ${parts.join(', ')} })` : ''
  change.insert(rows, { from: 'const calls', before: '\n}\n' }, `\n  '${area}.${op.camel}': { access: '${access}'${sample} },`)
}

/** How a new id of its kind is made, and what that imports: kinds from before are in the kernel, others beside their row. */
export function newIdOf(change: Change, { noun, contract }: Pick<Call, 'noun' | 'contract'>): { kind: string; names: string } {
  const own = change.read(`${contract}/${noun.kebab}.ts`).includes(`const ${noun.camel}Id =`)
  return { kind: own ? `${noun.camel}Id` : `'${noun.snake}'`, names: own ? `${noun.camel}Id` : '' }
}

/** One line of the area's routes. `handle`: the function that does it, with what it is given. */
export function addRoute(change: Change, call: Call, handle: (given: { asset: string }) => string) {
  const { server, op, ops, module, method, onAsset } = call
  const path = `${server}/routes.ts`
  const kind = method === 'GET' ? 'read' : 'write'
  change.addImport(path, `* as ${ops}`, module)
  change.addImport(path, `{ ${kind} }`, '../kernel/http/routes.ts')
  change.addImport(path, `{ ${op.camel} }`, `./${op.kebab}.ts`)
  if (onAsset) change.addImport(path, '{ getAssetId }', './asset-queries.ts')
  const given = ['db', 'actor', ...(onAsset ? ['params'] : []), ...(method === 'GET' ? (call.verb === 'list' ? ['query'] : []) : ['body'])]
  const asset = onAsset ? ', await getAssetId(db, actor, params.asset_id)' : ''
  const handler = `${onAsset ? 'async ' : ''}({ ${given.join(', ')} }) => ${handle({ asset })}`
  change.addToList(path, 'Route[] = [', `${kind}(${ops}.${op.camel}, ${handler})`)
}

/** `npm run new -- call AREA VERB_NOUN` */
export function newCall(change: Change, asked: Asked): string[] {
  const call = understand(asked)
  if (call.verb === 'list') throw new Refused(`A list is made by: npm run new -- list ${call.area} ${call.nouns.snake}`)
  return call.method === 'GET' ? newRead(change, call) : newWrite(change, call)
}

function newRead(change: Change, call: Call): string[] {
  const { op, noun, server, onAsset, module } = call
  addOperation(change, call, { reply: 'z.object({ name: z.string() })', imports: [['* as z', 'zod/mini']] })
  addRoute(change, call, ({ asset }) => `${op.camel}(db, actor${asset})`)
  const from = onAsset
    ? `selectFrom('asset').select('name').where('account_id', '=', account_id).where('id', '=', asset_id)`
    : `selectFrom('account').select('team_name as name').where('id', '=', account_id)`
  change.create(
    `${server}/${op.kebab}.ts`,
    `import type { ${op.camel} as promise } from '${module}'
import type { Reply } from '@masthead/contract/kernel/operation'
import type { Actor, Db } from '../kernel/app.ts'

/** The ${noun.words} of ${onAsset ? 'an asset' : 'the account'}. */
export const ${op.camel} = (db: Db, { account_id }: Pick<Actor, 'account_id'>${onAsset ? ', asset_id: string' : ''}): Promise<Reply<typeof promise>> =>
  db.${from}.executeTakeFirstOrThrow()
`
  )
  addTest(change, call, {
    title: `the ${noun.words} is that of the ${onAsset ? 'asset' : 'account'}`,
    body: `  expect(await ada.call(${op.camel}${onAsset ? ', { params: { asset_id: asset.id } }' : ''})).toMatchObject({ status: 200, body: { name: ${onAsset ? `'North'` : `'Ada'`} } })\n`,
  })
  return [`What ${call.contract}/${noun.kebab}-operations.ts answers with, and the query for it in ${server}/${op.kebab}.ts.`]
}

function newWrite(change: Change, call: Call): string[] {
  const { area, op, verb, noun, server, contract, onAsset } = call
  if (!call.event) throw new Refused('Every write records what happened: name it in the past tense, --event note_added')
  const table = `${onAsset ? 'asset_' : ''}${noun.snake}`
  const tables = `${server}/tables.ts`
  const adds = /^(add|create)$/.test(verb) && change.has(tables) && change.read(tables).includes(` ${table}: {`)
  const event = addEvent(change, area, call.event, {
    imports: [['* as z', 'zod/mini']],
    access: call.access,
    detail: `z.object({ ${onAsset ? 'asset_id: z.string(), asset_name: z.string(), ' : ''}${adds ? `${noun.snake}_id: z.string(), ` : ''}name: z.string() })`,
    sentence: `${sentenceOf(call.event)}: {name}${onAsset ? ' ({asset_name})' : ''}`,
  })
  addOperation(change, call, {
    body: 'z.object({ name: Name })',
    ...(adds && { reply: noun.pascal }),
    imports: [
      ['* as z', 'zod/mini'],
      ['{ Name }', '../kernel/fields.ts'],
      ...(adds ? [[`{ ${noun.pascal} }`, `./${noun.kebab}.ts`] as [string, string]] : []),
    ],
  })
  addRoute(change, call, ({ asset }) => `${op.camel}(db, actor${asset}, body)`)
  const { kind, names } = adds ? newIdOf(change, call) : { kind: '', names: '' }
  const row = `{ account_id: actor.account_id, ${onAsset ? 'asset_id, ' : ''}id, name, created_at: actor.at }`
  const detail = `{ ${onAsset ? '...asset, ' : ''}${adds ? `${noun.snake}_id: id, ` : ''}name }`
  const lines = [
    ...(onAsset ? ['const asset = await getAssetForUpdate(tx, actor, asset_id)'] : []),
    ...(adds ? [`const id = newId(${kind}, actor.at.getTime())`, `await tx.insertInto('${table}').values(${row}).execute()`] : []),
    `await record(tx, actor, ${event.camel}, ${detail})`,
    ...(adds ? ['return { id, name, created_at: actor.at.toISOString() }'] : []),
  ]
  change.create(
    `${server}/${op.kebab}.ts`,
    `import { ${event.camel} } from '@masthead/contract/${area}/events'
${adds ? `import ${names ? `{ ${names}, type ${noun.pascal} }` : `type { ${noun.pascal} }`} from '@masthead/contract/${area}/${noun.kebab}'\nimport { newId } from '@masthead/contract/kernel/id'\n` : ''}import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
${onAsset ? `import { getAssetForUpdate } from './asset-queries.ts'\n` : ''}
/** ${sentenceOf(op.snake)}. */
export async function ${op.camel}(tx: Tx, actor: Actor, ${onAsset ? 'asset_id: string, ' : ''}{ name }: { name: string }): Promise<${adds ? noun.pascal : 'void'}> {
${lines.map((line) => `  ${line}\n`).join('')}}
`
  )
  const params = onAsset ? 'params: { asset_id: asset.id }, ' : ''
  const stored = adds
    ? `  expect(await house.db.selectFrom('${table}').select(['account_id', 'name']).execute()).toEqual([{ account_id: ada.account_id, name: 'First' }])\n`
    : ''
  addTest(change, call, {
    title: `${op.words}: it is done, and recorded as an activity`,
    body: `  expect(await ada.call(${op.camel}, { ${params}body: { name: 'First' } })).toMatchObject({ status: 200${adds ? `, body: { name: 'First' }` : ''} })
${stored}  expect((await house.events(ada.account_id)).at(-1)).toMatchObject({ name: '${area}.${event.snake}', detail: { name: 'First' } })\n`,
  })
  return [
    `What it takes: the body in ${contract}/${noun.kebab}-operations.ts (its sample: ${server}/test-calls.ts).`,
    `What it does: ${server}/${op.kebab}.ts gets, checks, changes, records, returns. Each problem that it throws is declared with the operation.`,
    `What is recorded: the detail and the sentence of ${event.camel} in ${contract}/events.ts.`,
    `What the world outside must know: an effect, docs/recipes/add-an-event.md.`,
    adds
      ? `Its button: npm run new -- ${onAsset ? 'panel assets' : `screen ${area}`} ${call.nouns.snake} writes it. Until then write-buttons.test.ts refuses a call that nobody can reach.`
      : `Its button in apps/console/src/${area}: until there is one, write-buttons.test.ts refuses a call that nobody can reach.`,
  ]
}

/** A test beside the function, which asks the call as people do. */
export function addTest(
  change: Change,
  { server, op, module, onAsset }: Call,
  { title, body, imports = '' }: { title: string; body: string; imports?: string }
) {
  change.create(
    `${server}/${op.kebab}.test.ts`,
    `import { expect, test } from 'vitest'
import { ${op.camel} } from '${module}'
import { openHouse } from '@masthead/testkit/house'
${onAsset ? `import { addAsset } from './test-stock.ts'\n` : ''}${imports}
test('${title}', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner('Ada')
${onAsset ? `  const asset = await addAsset(house, ada, { name: 'North' })\n` : ''}${body}})
`
  )
}

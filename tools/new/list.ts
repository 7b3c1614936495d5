import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { idPrefixes } from '../../packages/contract/src/kernel/id.ts'
import { addOperation, addRoute, addTest, newIdOf, understand, type Asked } from './call.ts'
import type { Change } from './change.ts'
import { Refused, type Name } from './words.ts'

const exportedTables = 'apps/server/src/account/closing/exported-tables.ts'
const eraseAccount = 'apps/server/src/account/closing/erase-account.ts'

/** What is there: file names of migrations, and prefixes of ids that areas declare. */
export type Given = { migrations: readonly string[]; prefixes: readonly string[] }

export function givenIn(root: string): Given {
  const contract = join(root, 'packages/contract/src')
  return {
    migrations: readdirSync(join(root, 'apps/server/db/migrations')).filter((file) => file.endsWith('.sql')),
    prefixes: globSync('*/*.ts', { cwd: contract }).flatMap((path) =>
      [...readFileSync(join(contract, path), 'utf8').matchAll(/= idKind\('(\w+)'\)/g)].map(([, prefix]) => prefix!)
    ),
  }
}

/** `npm run new -- list AREA NOUNS`: a table of the account's, its rows in the contract, and the call that lists them page by page. */
export function newList(change: Change, asked: Asked, given: Given): string[] {
  const call = understand({ ...asked, name: `list_${asked.name}` })
  const { area, op, noun, nouns, onAsset, contract, server, module } = call
  const table = `${onAsset ? 'asset_' : ''}${noun.snake}`
  const migration = addTable(change, { table, onAsset, migrations: given.migrations, nouns })
  addRow(change, { server, table, onAsset, noun })
  // The export of an account has every table that is the account's.
  change.insert(exportedTables, { from: 'exportedTables: readonly Exported[]', before: `  own('event'),\n` }, `  own('${table}'),\n`)
  // What is of an asset goes with it; all else goes with the account by its name.
  if (!onAsset) change.insert(eraseAccount, { from: 'export const ofAccount = [', before: ']\n' }, `  '${table}',\n`)
  const prefix = prefixOf(noun, new Set([...Object.values(idPrefixes), ...given.prefixes]))
  change.create(
    `${contract}/${noun.kebab}.ts`,
    `import * as z from 'zod/mini'
${prefix ? `import { idKind } from '../kernel/id.ts'\n\nexport const ${noun.camel}Id = idKind('${prefix}')\n` : '\n'}
/** A ${noun.words}${onAsset ? ' on an asset' : ''}. */
export const ${noun.pascal} = z.object({ id: z.string(), name: z.string(), created_at: z.string() })
export type ${noun.pascal} = z.output<typeof ${noun.pascal}>
`
  )
  addOperation(change, call, {
    query: 'PageQuery',
    reply: `page(${noun.pascal})`,
    imports: [
      ['{ page, PageQuery }', '../kernel/page.ts'],
      [`{ ${noun.pascal} }`, `./${noun.kebab}.ts`],
    ],
  })
  addRoute(change, call, ({ asset }) => `${op.camel}(db, actor${asset}, query)`)
  change.create(
    `${server}/${op.kebab}.ts`,
    `import type { ${op.camel} as promise } from '${module}'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { sql } from 'kysely'
import type { Actor, Db } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'

type Query = Parsed<typeof promise>['query']

/** The ${nouns.words} of ${onAsset ? 'an asset' : 'the account'}, newest first. */
export const ${op.camel} = (db: Db, { account_id }: Pick<Actor, 'account_id'>, ${onAsset ? 'asset_id: string, ' : ''}query: Query): Promise<Reply<typeof promise>> =>
  pageByKey(db, query, {
    name: '${nouns.snake}',
    all: db.selectFrom('${table}').where('account_id', '=', account_id)${onAsset ? `.where('asset_id', '=', asset_id)` : ''},
    keys: [{ of: sql.ref('id'), is: 'text' }],
    order: 'desc',
    rows: (page) => page.select(['id', 'name', 'created_at']),
    items: (rows) => rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() })),
  })
`
  )
  const params = onAsset ? 'params: { asset_id: asset.id }, ' : ''
  const { kind, names } = newIdOf(change, call)
  const elsewhere = onAsset ? `[ada, await addAsset(house, ada)]` : `[await house.newOwner()]`
  addTest(change, call, {
    imports: `import { newId } from '@masthead/contract/kernel/id'\n${names ? `import { ${names} } from '@masthead/contract/${area}/${noun.kebab}'\n` : ''}`,
    title: `${nouns.words} come newest first, page by page, and none of ${onAsset ? 'another asset' : 'another account'}`,
    body: `  const add = (name: string, { account_id } = ada${onAsset ? ', { id: asset_id } = asset' : ''}) =>
    house.db.insertInto('${table}').values({ account_id, ${onAsset ? 'asset_id, ' : ''}id: newId(${kind}), name }).execute()
  for (const name of ['first', 'second', 'third']) await add(name)
  await add('elsewhere', ...(${elsewhere} as const))
  const { body: page } = await ada.call(${op.camel}, { ${params}query: { page_size: 2 } })
  expect([page.items.map(({ name }) => name), page.total]).toEqual([['third', 'second'], 3])
  const { body: rest } = await ada.call(${op.camel}, { ${params}query: { page_size: 2, after: page.next! } })
  expect([rest.items.map(({ name }) => name), rest.next]).toEqual([['first'], null])
`,
  })
  // A permission of another area is named with each call.
  const elsewhereIn = (kind: string) => (call.access === `${area}.view` ? '' : ` --access ${call.access.replace(/\.view$/, `.${kind}`)}`)
  return [
    `Columns besides the name: ${migration}, ${server}/tables.ts, ${contract}/${noun.kebab}.ts, ${server}/${op.kebab}.ts. Units stand in names.`,
    `Whether a member who is limited to tags may see all of it: ${onAsset ? 'the asset is looked for with their eyes' : 'nothing here limits them'}.`,
    `Columns that nobody may export, such as hashes, are named in ${exportedTables}: own('${table}', 'token_hash').`,
    `npm run migrations:checksums when the table is final.`,
    `What adds to it: npm run new -- call ${area} add_${noun.snake} --event ${noun.snake}_added${onAsset ? ' --on-asset' : ''}${elsewhereIn('edit')}`,
    onAsset
      ? `Its panel: npm run new -- panel assets ${nouns.snake}`
      : `Its screen: npm run new -- screen ${area} ${nouns.snake}${elsewhereIn('view')}`,
  ]
}

function addTable(
  change: Change,
  { table, onAsset, migrations, nouns }: { table: string; onAsset: boolean; migrations: readonly string[]; nouns: Name }
) {
  const folder = 'apps/server/db/migrations'
  const before = migrations.toSorted()
  const last = before.at(-1)!.slice(0, 4)
  const number = String(Number(last) + 1).padStart(4, '0')
  // A table more is nothing to the programs that are served now.
  const said = before.flatMap((name) => /^-- serves from (\d{4})$/m.exec(change.read(`${folder}/${name}`))?.[1] ?? [])
  const path = `${folder}/${number}-${table.replaceAll('_', '-')}.sql`
  const asset = onAsset
    ? ['  asset_id text not null,', '  foreign key (account_id, asset_id) references asset on delete cascade']
    : ['', '']
  change.create(
    path,
    `-- serves from ${said.toSorted().at(-1) ?? last}
-- ${nouns.words[0]!.toUpperCase()}${nouns.words.slice(1)}: say why in a line.
create table ${table} (
  account_id text not null,
${asset[0] ? `${asset[0]}\n` : ''}  id text not null,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, ${onAsset ? 'asset_id, ' : ''}id)${asset[1] ? `,\n${asset[1]}` : ''}
);
`
  )
  return path
}

function addRow(change: Change, { server, table, onAsset, noun }: { server: string; table: string; onAsset: boolean; noun: Name }) {
  const path = `${server}/tables.ts`
  const row = `    ${table}: { account_id: string; ${onAsset ? 'asset_id: string; ' : ''}id: string; name: string; created_at: Defaulted<Date> }\n`
  if (!change.has(path)) change.create(path, `declare module '../kernel/database/database.ts' {\n  interface Database {\n  }\n}\n`)
  if (change.read(path).includes(` ${table}: {`)) throw new Refused(`${noun.words}: the table ${table} is there already`)
  change.addImport(path, 'type { Defaulted }', '../kernel/database/database.ts')
  change.insert(path, { from: 'interface Database {\n', before: '  }\n}' }, row)
}

/** Its ids get a prefix of their own: the first three consonants, or what is free. Null where the kernel has their kind. */
function prefixOf({ snake }: Name, taken: ReadonlySet<string>): string | null {
  if (Object.hasOwn(idPrefixes, snake)) return null
  const letters = [...snake.replaceAll('_', '')]
  const consonants = letters.filter((letter, i) => i === 0 || !'aeiou'.includes(letter))
  const choices = [consonants, letters, [...consonants.slice(0, 2), 'x'], [letters[0]!, 'x', 'x']].map((each) => each.slice(0, 3).join(''))
  const prefix = choices.find((each) => each.length === 3 && !taken.has(each))
  if (!prefix) throw new Refused(`No prefix of three letters is free for the ids of ${snake}`)
  return prefix
}

import { readdirSync, readFileSync } from 'node:fs'

/** How a migration runs: all of it in one transaction, or one statement that must not, or one repeated until it changes no row. */
export type Run = 'in a transaction' | 'outside a transaction' | 'in batches'

export type Migration = {
  /** Of its file: `0036-asset-site.sql`. */
  name: string
  /** The first four digits. A program is known by the number of the last migration that it brings. */
  number: string
  text: string
  runs: Run
  /** The number of the oldest program that works on the schema from then on; null: what served before serves still. */
  servesFrom: string | null
}

/** From here on each says which programs it serves; those before could not, and no program looked. */
const firstThatSays = '0031'

/** Up to here some make an index on a table that is in use, while no row can be written to it; they are not made again. */
const lastThatHoldsUp = '0163'

/** Up to here some add a constraint to such a table and read all of it at once; they are not made again. */
const lastThatReadsAll = '0174'

/** Tables of many millions of rows on a large installation. */
const largeTables = new Set(
  `asset asset_tag sim sim_imsi sim_counter inventory event event_seal data_session session_identity usage_record usage_hour usage_day usage_month
  connection_event enforcement ledger_transaction ledger_entry charge charge_scope device_vitals feed_record`.split(/\s+/)
)

const migrationsFolder = new URL('../../../../db/migrations/', import.meta.url)

/** Those of a folder in the order of their numbers. */
export const readMigrations = (folder = migrationsFolder): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readMigration(name, readFileSync(new URL(name, folder), 'utf8')))

function readMigration(name: string, text: string): Migration {
  const runs = (/^-- runs (.*)$/m.exec(text)?.[1] ?? 'in a transaction') as Run
  return { name, number: name.slice(0, 4), text, runs, servesFrom: /^-- serves from (.*)$/m.exec(text)?.[1] ?? null }
}

/** The index that a statement makes without holding up writes. */
export const indexMadeBy = (text: string): string | undefined =>
  /^create (?:unique )?index concurrently if not exists (\S+) on /im.exec(text)?.[1]

/** Tables that are there already, to which nothing can be written while an index is made on them. One `on only` reads no row of them. */
function heldUpBy(code: string): string[] {
  const made = new Set([...code.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, table]) => table!))
  const plain = /\bcreate\s+(?:unique\s+)?index\s+(?!concurrently\b)(?:if\s+not\s+exists\s+)?(?:\w+\s+)?on\s+(?!only\b)(\w+)/gi
  return [...code.matchAll(plain)].flatMap(([, table]) => (made.has(table!) ? [] : [table!]))
}

/** Large tables that get a constraint for which each of their rows is read, while nobody reads or writes them. */
const readWhole = (code: string): string[] =>
  code.split(';').flatMap((statement) => {
    const table = /^\s*alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/i.exec(statement)?.[1]
    const added = statement.match(/\badd\s+(?:constraint\s+\w+\s+)?(?:check|foreign\s+key)\b/gi)?.length ?? 0
    const later = statement.match(/\bnot\s+valid\b/gi)?.length ?? 0
    return table !== undefined && largeTables.has(table) && added > later ? [table] : []
  })

/** What a migration says wrongly of itself, in sentences. */
export function migrationProblems(name: string, text: string): string[] {
  const { number, runs, servesFrom } = readMigration(name, text)
  const problems: string[] = []
  if (!['in a transaction', 'outside a transaction', 'in batches'].includes(runs))
    problems.push(`${name} runs "${runs}": say "-- runs outside a transaction", "-- runs in batches", or nothing`)
  if (servesFrom === null && number >= firstThatSays)
    problems.push(`${name} does not say which programs it serves: begin it with "-- serves from NNNN" (docs/recipes/add-a-migration.md)`)
  if (servesFrom !== null && !(/^\d{4}$/.test(servesFrom) && servesFrom <= number))
    problems.push(`${name} serves from "${servesFrom}": that is to be the number of a migration, its own at most`)
  const code = text.replaceAll(/--.*$/gm, '')
  if (/\bconcurrently\b/i.test(code) && runs !== 'outside a transaction')
    problems.push(`${name} does something concurrently: that needs "-- runs outside a transaction"`)
  if (runs === 'outside a transaction' && /\bcreate (unique )?index\b/i.test(code) && !indexMadeBy(text))
    problems.push(`${name} is to begin "create index concurrently if not exists NAME on", so that it can be repeated`)
  if (runs === 'in a transaction' && number > lastThatHoldsUp)
    for (const table of new Set(heldUpBy(code)))
      problems.push(
        `${name} makes an index on ${table}, to which nothing is written meanwhile: make it alone, "create index concurrently if not exists NAME on"`
      )
  if (number > lastThatReadsAll)
    for (const table of new Set(readWhole(code)))
      problems.push(
        `${name} adds a constraint to ${table}, which waits until each row is read: make it "not valid", and validate it in a migration of its own`
      )
  if (runs !== 'in a transaction' && code.trim().replace(/;$/, '').includes(';'))
    problems.push(`${name} runs ${runs} and has several statements: give each a migration of its own`)
  return problems
}

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

const migrationsFolder = new URL('../../../db/migrations/', import.meta.url)

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
  if (runs !== 'in a transaction' && code.trim().replace(/;$/, '').includes(';'))
    problems.push(`${name} runs ${runs} and has several statements: give each a migration of its own`)
  return problems
}

import type pg from 'pg'
import { readMigrations } from './migration-file.ts'
import { openProbe } from '../probe.ts'

/** What a database says of itself: which migrations it has, and from which program on it serves (null: nobody has said). */
export type SchemaState = { done: Set<string>; servesFrom: string | null }

type Row = { name: string; serves_from: string | null }

/** Reads it, also where the table has no such column yet, or is not there. */
export async function readSchema(queryable: pg.Pool | pg.ClientBase): Promise<SchemaState> {
  const { rows: there } = await queryable.query<{ is: boolean }>(`select to_regclass('migration') is not null as is`)
  if (!there[0]!.is) return { done: new Set(), servesFrom: null }
  const { rows } = await queryable.query<Row>(`select name, to_jsonb(migration) ->> 'serves_from' as serves_from from migration`)
  const said = rows.map((row) => row.serves_from).filter((number) => number !== null)
  return { done: new Set(rows.map((row) => row.name)), servesFrom: said.sort().at(-1) ?? null }
}

const lastOf = (done: Set<string>) => [...done].sort().at(-1)?.slice(0, 4)

/** Why a program must not work on a database, in words; null where it may. `knows`: the number of the last migration that it brings. */
export function whyTooOld({ done, servesFrom }: SchemaState, knows: string): string | null {
  if (servesFrom === null || servesFrom <= knows) return null
  return `This Masthead is too old for its database: the database was brought to migration ${lastOf(done)}, which serves programs from ${servesFrom} on, and this program ends at ${knows}. Bring this machine to the newer release`
}

/** For whoever migrates by hand. */
export function schemaInWords({ done, servesFrom }: SchemaState): string {
  const served =
    servesFrom === null ? 'It serves every program that can read it.' : `It serves programs that end at ${servesFrom} or later.`
  return `The database is at migration ${lastOf(done)}. ${served}`
}

/** Whether a newer program has left this one behind while it ran, as `/readyz` asks: at most once a second. */
export function openSchemaProbe(pool: pg.Pool, { knows = readMigrations().at(-1)!.number, freshFor = 1000 } = {}) {
  // Of a database that does not answer, the write probe reports.
  return openProbe(async () => whyTooOld(await readSchema(pool), knows), { freshFor, words: () => null, late: null })
}

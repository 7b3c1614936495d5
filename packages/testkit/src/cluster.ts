import { randomUUID } from 'node:crypto'
import { migrate } from '@masthead/server/kernel/database/migrations/migrate'
import { openPool } from '@masthead/server/kernel/database/pool'
import { databaseSwitch, runOn, type DatabaseSwitch } from './database-switch.ts'

/** The environment variable with the address of a cluster made for tests (any database on it). */
export const clusterVariable = 'MASTHEAD_TEST_CLUSTER'
const template = 'masthead_template'

function clusterUrl(name: string): string {
  const given = process.env[clusterVariable]
  if (!given)
    throw new Error(`${clusterVariable} is not set: run the tests with npm test or npm exec vitest, whose set-up starts a cluster`)
  const url = new URL(given)
  url.pathname = `/${name}`
  return url.toString()
}

const admin = (statement: string) => runOn(clusterUrl('postgres'), statement)

/** Migrates a template once per run; every house is a copy of it. */
export async function makeTemplate(): Promise<void> {
  await admin(`create database ${template}`)
  const pool = openPool(clusterUrl(template), { max: 2 })
  await migrate(pool)
  await pool.query(`select ensure_usage_partitions((now() - interval '2 days')::date, (now() + interval '3 days')::date)`)
  await pool.end()
}

/** A database with nothing in it, not even tables, by its address. `options`: of `create database`. */
export async function emptyDatabase(options = ''): Promise<string> {
  const name = `empty_${randomUUID().slice(0, 8)}`
  await admin(`create database ${name} template template0 ${options}`)
  return clusterUrl(name)
}

/** A fresh database. Who makes many drops them, because a cluster for tests may lie in memory; the others go with it. */
export async function cloneDatabase(): Promise<DatabaseSwitch & { url: string; drop: () => Promise<void> }> {
  const name = `house_${randomUUID().slice(0, 8)}`
  await admin(`create database ${name} template ${template} strategy file_copy`)
  const url = clusterUrl(name)
  return { url, drop: () => admin(`drop database ${name} with (force)`), ...databaseSwitch(url) }
}

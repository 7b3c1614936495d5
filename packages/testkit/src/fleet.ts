import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { AssetType } from '@masthead/contract/assets/asset'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { newId } from '@masthead/contract/kernel/id'
import { openSession } from '@masthead/server/auth/sessions/session'
import { openDatabase } from '@masthead/server/kernel/database/open-database'
import { openPool } from '@masthead/server/kernel/database/pool'
import { startEmbeddedPostgres } from '@masthead/server/embedded-postgres/embedded-postgres'
import { settingsFor } from '@masthead/server/embedded-postgres/settings'
import { migrate } from '@masthead/server/kernel/database/migrations/migrate'
import { peakMemory } from './process-figures.ts'

const email = 'fleet@example.test'
const types = Object.keys(assetTypes) as AssetType[]
export const tagCount = 20
/** Of the first tag of a fleet. */
export const firstTag = `tag_${'0'.repeat(26)}`
const digits = (n: number, length: number) => String(n).padStart(length, '0')
const quiet = () => {}

export type Fleet = {
  url: string
  pool: pg.Pool
  account_id: string
  databasePid: number
  /** The first of the SIMs with service, for a load of the meter. */
  simsOf: (count: number) => { imsi: string }[]
  /** Null where the account was there already (BENCH_DATA_DIR). */
  load: { seconds: number; rows_per_s: number; peak_mb: number } | null
  /**
   * The cookie of another member of the account, with a session of their own; they may see assets, or what `permissions` says. `tags`: the ids of those whose assets
   * alone they see, each a twentieth of all.
   */
  newCookie: (permissions?: readonly string[], tags?: readonly string[]) => Promise<string>
  stop: () => Promise<void>
}

/**
 * PostgreSQL as it is in production, and an account of `count` assets: loaded through the stock feed, by the command and in a process of its
 * own, then tagged, 10,000 of them made inactive. BENCH_DATA_DIR keeps the database from run to run.
 */
export async function openFleet(count: number): Promise<Fleet> {
  const kept = process.env.BENCH_DATA_DIR
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'masthead-lists-'))
  const had = existsSync(dataDir)
  const throwAway = kept ? {} : { throwAway: true, settings: settingsFor() }
  const database = await startEmbeddedPostgres({ dataDir, ...throwAway, log: { debug: quiet, info: quiet, warn: console.warn } })
  try {
    const pool = openPool(database.url, { max: 4 })
    await migrate(pool)
    const { rows } = await pool.query<{ account_id: string }>('select account_id from person where email = $1', [email])
    const account_id = rows[0]?.account_id ?? newId('account')
    const load = had && rows[0] ? null : await fill(database.url, pool, account_id, count)
    return {
      url: database.url,
      pool,
      account_id,
      databasePid: database.pid,
      load,
      simsOf: (first) => Array.from({ length: Math.min(first, count) }, (_, n) => ({ imsi: imsiOf(n) })),
      newCookie: (permissions = ['assets.view'], tags = []) => newCookie(pool, account_id, permissions, tags),
      stop: async () => {
        await pool.end()
        await database.stop()
      },
    }
  } catch (error) {
    await database.stop()
    throw error
  }
}

const imsiOf = (n: number) => `20408${digits(n, 10)}`

function* stockOf(count: number) {
  yield 'type,serial,iccid,imsi,msisdn,eid,imei\n'
  for (let from = 0; from < count; from += 500) {
    let lines = ''
    for (let n = from; n < Math.min(from + 500, count); n++)
      lines += `${types[n % types.length]},MH-${digits(n, 8)},89314${digits(n, 14)},${imsiOf(n)},97${digits(n, 9)},,35${digits(n, 13)}\n`
    yield lines
  }
}

async function fill(url: string, pool: pg.Pool, account_id: string, count: number) {
  await pool.query(`insert into account (id, team_name) values ($1, 'Fleet')`, [account_id])
  await pool.query('insert into person (id, account_id, email) values ($1, $2, $3)', [newId('person'), account_id, email])
  await pool.query(
    `with gateway as (insert into gateway (id, name) values ('gtw_bench', 'Bench') on conflict do nothing)
      insert into gateway_address (id, gateway_id, address, secret) values ('gad_bench', 'gtw_bench', '127.0.0.1', 'bench') on conflict do nothing`
  )
  const load = await feed(url, count)
  // A tag each, over all types; 10,000 are inactive.
  await pool.query(
    `insert into tag (account_id, id, name, color) select $1, 'tag_' || lpad(n::text, 26, '0'), 'Site ' || n, 'blue' from generate_series(0, $2 - 1) n`,
    [account_id, tagCount]
  )
  await pool.query(
    `insert into asset_tag (account_id, asset_id, tag_id)
      select account_id, id, 'tag_' || lpad((right(serial, 8)::bigint / 6 % $2)::text, 26, '0') from asset where account_id = $1`,
    [account_id, tagCount]
  )
  await pool.query(
    `update sim set state = 'inactive' where account_id = $1 and right(iccid, 6)::bigint % 6 = 5 and right(iccid, 6)::bigint < 60000`,
    [account_id]
  )
  await pool.query('vacuum analyze')
  // The owner of a kept database may not ask for it; its own comes in time.
  await pool.query('checkpoint').catch((error: { code?: string }) => error.code === '42501' || Promise.reject(error))
  return load
}

/** `npm run masthead -- inventory load`, as an operator runs it. */
async function feed(url: string, count: number) {
  const file = join(mkdtempSync(join(tmpdir(), 'masthead-stock-')), 'stock.csv')
  await pipeline(Readable.from(stockOf(count)), createWriteStream(file))
  const begun = performance.now()
  const command = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(import.meta.resolve('@masthead/server/command')),
      'inventory',
      'load',
      file,
      '--account',
      email,
      '--active',
    ],
    { env: { ...process.env, DATABASE_URL: url }, stdio: ['ignore', 'pipe', 'inherit'] }
  )
  let said = ''
  command.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  let peak_mb = 0
  const look = setInterval(() => (peak_mb = Math.max(peak_mb, peakMemory(command.pid!))), 250)
  const ended = new Promise<number | null>((resolve) => command.once('exit', resolve))
  const code = await ended
  clearInterval(look)
  rmSync(dirname(file), { recursive: true })
  if (code !== 0) throw new Error(`The stock feed failed: ${said}`)
  const seconds = (performance.now() - begun) / 1000
  return { seconds: Math.round(seconds), rows_per_s: Math.round(count / seconds), peak_mb }
}

async function newCookie(pool: pg.Pool, account_id: string, permissions: readonly string[], tags: readonly string[]): Promise<string> {
  const [own, person_id] = [newId('account'), newId('person')]
  await pool.query(`insert into account (id, team_name) values ($1, 'Member')`, [own])
  await pool.query('insert into person (id, account_id, email) values ($1, $2, $3)', [person_id, own, `${randomUUID()}@example.test`])
  const member = [account_id, person_id, permissions, tags]
  await pool.query(`insert into membership (account_id, person_id, permissions, tags) values ($1, $2, $3, $4)`, member)
  return openedCookie(pool, person_id, account_id)
}

/** The cookie of a session of somebody, put into the database. `acting_as`: the account of somebody else. */
export async function openedCookie(pool: pg.Pool, person_id: string, acting_as: string | null = null): Promise<string> {
  const { secret } = await openDatabase(pool)
    .transaction()
    .execute((tx) => openSession(tx, { person_id, acting_as, at: new Date(), days: 14, ip: null, user_agent: 'bench' }))
  return `masthead_session=${secret}`
}

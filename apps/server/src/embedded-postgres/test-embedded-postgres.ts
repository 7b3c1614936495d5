import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

export const fast = { fsync: 'off' }
export const quiet = { debug: () => {}, info: () => {}, warn: () => {} }

/** A directory for the databases of a test file, and a start that ends with each test. */
export function useEmbeddedPostgres() {
  const root = mkdtempSync(join(tmpdir(), 'masthead-launcher-'))
  const running: EmbeddedPostgres[] = []
  // As root the server is another user, who must be able to walk to its data.
  beforeAll(() => chmodSync(root, 0o755))
  afterEach(async () => {
    for (const database of running.splice(0)) await database.stop()
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  async function start(options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) {
    const database = await startEmbeddedPostgres({ dataDir: join(root, 'data'), log: quiet, settings: fast, ...options })
    running.push(database)
    return database
  }
  return { root, running, start }
}

export async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return await client.query<Record<string, unknown>>(sql).finally(() => client.end())
}

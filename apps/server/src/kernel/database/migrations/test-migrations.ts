import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { emptyDatabase } from '@masthead/testkit/cluster'
import { openPool } from '../pool.ts'

/** A folder of migrations, by name and text. */
export function folderOf(files: Record<string, string>): URL {
  const path = mkdtempSync(join(tmpdir(), 'masthead-migrations-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return pathToFileURL(`${path}/`)
}

/** Remembers what a migration logs. */
export function listen() {
  const words: string[] = []
  return { words, info: (text: string) => void words.push(text), warn: (text: string) => void words.push(text) }
}

/** An empty database and pools on it, each like a program of its own. */
export async function openPrograms() {
  const url = await emptyDatabase()
  const [pool, other] = [openPool(url, { max: 3 }), openPool(url, { max: 3, name: 'the other' })]
  return { url, pool, other, [Symbol.asyncDispose]: async () => void (await Promise.all([pool.end(), other.end()])) }
}

/** A transaction of somebody else that stays open until it is ended. */
export async function openTransaction(pool: pg.Pool, statement: string) {
  const client = await pool.connect()
  await client.query('begin')
  await client.query(statement)
  const end = async () => {
    await client.query('commit')
    client.release()
  }
  return { end }
}

import { createHash } from 'node:crypto'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { migrationProblems } from '../apps/server/src/kernel/database/migrations/migration-file.ts'
import { readSource } from './sources.ts'
import { root, run, vitest } from './run.ts'

const folder = 'apps/server/db/migrations'
const list = `${folder}/checksums.txt`

const sum = (name: string) =>
  createHash('sha256')
    .update(readSource(`${folder}/${name}`))
    .digest('hex')

function landed(): Map<string, string> {
  const lines = existsSync(join(root, list)) ? readSource(list).trim().split('\n') : []
  return new Map(lines.map((line) => line.split('  ').reverse() as [string, string]))
}

const migrations = () =>
  globSync(`${folder}/*.sql`, { cwd: root })
    .map((path) => basename(path))
    .sort()

const headProblems = (names: string[]) => names.flatMap((name) => migrationProblems(name, readSource(`${folder}/${name}`)))

/** What is wrong with the migrations and their checksums, in sentences. A migration that has run somewhere must never change: the database there would differ. */
export function checksumProblems(): string[] {
  const there = migrations()
  const checksums = landed()
  return [
    ...headProblems(there),
    ...there
      .filter((name) => !checksums.has(name))
      .map((name) => `${name} has no checksum: when it is final, run npm run migrations:checksums`),
    ...there
      .filter((name) => checksums.has(name) && checksums.get(name) !== sum(name))
      .map((name) => `${name} was changed after it landed: undo that and write a new migration`),
    ...[...checksums.keys()].filter((name) => !there.includes(name)).map((name) => `${name} was removed after it landed: bring it back`),
  ]
}

/**
 * Appends the migrations that have no checksum yet, and writes what the schema is made of with them. An old one is never rewritten here; a migration
 * that could not be mended later, or that does not run, gets none.
 */
async function addChecksums() {
  const checksums = landed()
  const added = migrations().filter((name) => !checksums.has(name))
  const problems = headProblems(added)
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    process.exitCode = 1
    return
  }
  if (added.length === 0) return
  const { ok } = await run(vitest('schema-objects', '--update'), true)
  if (!ok) {
    process.exitCode = 1
    return
  }
  for (const name of added) checksums.set(name, sum(name))
  writeFileSync(join(root, list), [...checksums].map(([name, hash]) => `${hash}  ${name}\n`).join(''))
}

if (import.meta.main) await addChecksums()

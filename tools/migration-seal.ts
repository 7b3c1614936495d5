import { createHash } from 'node:crypto'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { migrationProblems } from '../apps/server/src/kernel/database/migration-file.ts'
import { readSource } from './sources.ts'
import { root } from './run.ts'

const folder = 'apps/server/db/migrations'
const list = `${folder}/checksums.txt`

const sum = (name: string) =>
  createHash('sha256')
    .update(readSource(`${folder}/${name}`))
    .digest('hex')

function sealed(): Map<string, string> {
  const lines = existsSync(join(root, list)) ? readSource(list).trim().split('\n') : []
  return new Map(lines.map((line) => line.split('  ').reverse() as [string, string]))
}

const migrations = () =>
  globSync(`${folder}/*.sql`, { cwd: root })
    .map((path) => basename(path))
    .sort()

const headProblems = (names: string[]) => names.flatMap((name) => migrationProblems(name, readSource(`${folder}/${name}`)))

/** What is wrong with the migrations and their seals, in sentences. A migration that has run somewhere must never change: the database there would differ. */
export function sealProblems(): string[] {
  const there = migrations()
  const seals = sealed()
  return [
    ...headProblems(there),
    ...there.filter((name) => !seals.has(name)).map((name) => `${name} is not sealed: when it is final, run npm run migrations:seal`),
    ...there
      .filter((name) => seals.has(name) && seals.get(name) !== sum(name))
      .map((name) => `${name} was changed after it landed: undo that and write a new migration`),
    ...[...seals.keys()].filter((name) => !there.includes(name)).map((name) => `${name} was removed after it landed: bring it back`),
  ]
}

/** Appends the migrations that have no seal yet. An old seal is never rewritten here; one that could not be mended later gets none. */
function seal() {
  const seals = sealed()
  const unsealed = migrations().filter((name) => !seals.has(name))
  const problems = headProblems(unsealed)
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    process.exitCode = 1
    return
  }
  for (const name of unsealed) seals.set(name, sum(name))
  writeFileSync(join(root, list), [...seals].map(([name, hash]) => `${hash}  ${name}\n`).join(''))
}

if (import.meta.main) seal()

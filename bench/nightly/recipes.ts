// The recipes of docs/recipes, tried on a copy of the checkout as somebody would who reads them: each ends with its last step, which must be green.
// Says how many folders each touched. BENCH_RECIPE chooses one.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../../tools/run.ts'
import { sourceFiles } from '../../tools/sources.ts'
import { linkModules } from '../releases/link-modules.ts'

type Words = readonly string[]
const make = (...words: Words): Words => ['run', '-s', 'new', '--', ...words]
const checksums: Words = ['run', '-s', 'migrations:checksums']
const verify = (...words: Words): Words => ['run', '-s', 'verify', '--', ...words]

const recipes: Record<string, { steps: readonly Words[]; mostFolders: number }> = {
  // A table, two calls, an event and a panel with its button: a feature of an area that is there.
  notes: {
    steps: [
      make('list', 'assets', 'notes', '--on-asset'),
      make('call', 'assets', 'add_note', '--on-asset', '--event', 'note_added'),
      make('panel', 'assets', 'notes'),
      checksums,
      verify('assets/list-notes', 'assets/add-note', 'e2e/asset-notes.e2e.ts', 'e2e/asset.e2e.ts', 'e2e/permissions.e2e.ts'),
    ],
    mostFolders: 6,
  },
  // An area of its own, with its screen.
  depots: {
    steps: [
      make('area', 'depots', '--access', 'assets.view'),
      make('call', 'depots', 'add_depot', '--event', 'depot_added', '--access', 'assets.edit'),
      make('screen', 'depots', 'depots', '--access', 'assets.view'),
      checksums,
      verify('server/src/depots', 'e2e/depots.e2e.ts', 'e2e/every-screen.e2e.ts', 'e2e/permissions.e2e.ts'),
    ],
    mostFolders: 10,
  },
}

/** A copy of the checkout, on the same disk, so that files can be linked. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(dirname(root), '.masthead-recipe-'))
  for (const file of sourceFiles()) cpSync(join(root, file), join(copy, file))
  linkModules(copy)
  const as = ['-c', 'user.name=recipe', '-c', 'user.email=recipe@localhost']
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    [...as, 'commit', '-qm', 'Copy'],
  ])
    execFileSync('git', words, { cwd: copy })
  return copy
}

/** Those with changed files; the top, where the description of the API is written, is none. */
function changedFolders(copy: string): string[] {
  const changed = execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: copy, encoding: 'utf8' })
  const folders = changed.split('\n').flatMap((line) => (line ? dirname(line.slice(3)) : []))
  return [...new Set(folders)].filter((folder) => folder !== '.').toSorted()
}

const chosen = process.env.BENCH_RECIPE
for (const [recipe, { steps, mostFolders }] of Object.entries(recipes)) {
  if (chosen !== undefined && chosen !== recipe) continue
  const copy = copyCheckout()
  try {
    const refused = steps.find((words) => spawnSync('npm', words, { cwd: copy, stdio: ['ignore', 'inherit', 'inherit'] }).status !== 0)
    const folders = changedFolders(copy)
    const ok = !refused && folders.length <= mostFolders
    console.log(JSON.stringify({ figure: 'recipes', recipe, refused: refused?.join(' ') ?? null, folders, ok }))
    if (!ok) process.exitCode = 1
  } finally {
    rmSync(copy, { recursive: true })
  }
}

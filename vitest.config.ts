import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig } from 'vitest/config'

const tests = globSync('{apps,packages,tools}/**/*.test.{ts,tsx}', { exclude: (path) => /(^|\/)(node_modules|dist[^/]*)$/.test(path) })

/** A test that reaches the testkit's cluster or the launcher of PostgreSQL, itself or through a `test-…` file, needs the database. */
function needsDatabase(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false
  seen.add(path)
  const imports = [...readFileSync(path, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map((match) => match[1]!)
  if (imports.some((name) => /^@masthead\/testkit\/(house|cluster)$|embedded-postgres(\.ts)?$/.test(name))) return true
  return imports.some((name) => /^(?:\.{1,2}\/)+(?:[\w-]+\/)*test-[\w-]+\.ts$/.test(name) && needsDatabase(join(dirname(path), name), seen))
}

// What a test waits for comes when it comes: a machine that does other things as well may take long over it.
// No test leaves anything behind in a module, and to read them anew for each file takes as long as the tests.
const shared = { isolate: false, unstubGlobals: true, unstubEnvs: true, testTimeout: 120_000, expect: { poll: { timeout: 20_000 } } }

const database = tests.filter((path) => needsDatabase(path))
const pure = tests.filter((path) => !database.includes(path))

export default defineConfig({
  test: {
    // Nothing is left in the checkout, so that root and a normal user may test in turns.
    cache: false,
    fsModuleCache: false,
    // Vitest would leave one core alone, half of a small machine; each test waits for PostgreSQL much of its time.
    maxWorkers: '100%',
    projects: [
      { test: { ...shared, name: 'pure', include: pure } },
      {
        test: {
          ...shared,
          name: 'server',
          include: database,
          globalSetup: ['tools/test-cluster.ts'],
          hookTimeout: 60_000,
        },
      },
    ],
  },
})

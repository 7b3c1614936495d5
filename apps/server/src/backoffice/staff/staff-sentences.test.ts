import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { staffActions } from '@masthead/contract/backoffice/staff-actions'
import type { EventKind } from '@masthead/contract/kernel/event'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** What a file writes to the staff log, as far as it takes it from the contract by its name. */
async function recordedIn(file: string): Promise<string[]> {
  const source = readFileSync(join(root, file), 'utf8')
  const calls = source.matchAll(/recordStaff\(\s*\w+,\s*(?:\{[^}]*\}|[^,]+),\s*(?:\w+ \? (\w+) : )?(\w+)/g)
  const names = [...calls].flatMap(([, ...either]) => either.filter((name) => name !== undefined))
  const imports = [...source.matchAll(/import \{([^}]*)\} from '(@masthead\/contract\/[^']+)'/g)]
  const kinds = await Promise.all(
    imports.map(async ([, list, from]) => {
      const used = list!.split(',').map((each) => each.trim())
      const module = (await import(from!)) as Record<string, EventKind>
      return names.filter((name) => used.includes(name)).map((name) => module[name]!.name)
    })
  )
  return kinds.flat()
}

test('the staff log has a sentence, and a choice in its filter, for everything that is written to it', async () => {
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  const recorded = [...new Set((await Promise.all(files.map(recordedIn))).flat())]
  expect(recorded.length).toBeGreaterThan(40)
  // One of two, and one that somebody does who is more than the actor.
  expect(recorded).toEqual(expect.arrayContaining(['backoffice.gateway_disabled', 'backoffice.gateway_enabled', 'backoffice.entered']))
  expect(recorded.filter((name) => !staffActions.has(name))).toEqual([])
})

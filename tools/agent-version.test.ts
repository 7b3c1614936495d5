import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { AgentVersion, isNewer } from '@masthead/contract/devices/agent/update'
import { readSource } from './sources.ts'

const from = JSON.stringify(new URL('./agent-version.mjs', import.meta.url).href)
function newerThan(before: string, now: number): string {
  const program = `import { newerVersion } from ${from}\nconsole.log(newerVersion(${JSON.stringify(before)}, ${now}))`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim()
}

test('the version that the agent is given is the time, and newer than the one before whatever the clock says', () => {
  const noon = Date.UTC(2026, 10, 27, 12)
  expect(newerThan('0.1.0', noon)).toBe('0.330.43200')
  const cases: [before: string, now: number, version: string][] = [
    ['0.330.43200', noon, '0.330.43201'],
    // A clock that was set back, or was years ahead when the one before was given.
    ['0.330.43200', 0, '0.330.43201'],
    ['0.330.86399', noon, '0.331.0'],
    ['0.26000.5', noon, '0.26000.6'],
  ]
  for (const [before, now, version] of cases) {
    expect(newerThan(before, now)).toBe(version)
    expect([AgentVersion.safeParse(version).success, isNewer(version, before)]).toEqual([true, true])
  }
})

/** The sources that one brings into what is built of it, and itself. Types bring nothing. */
function builtOf(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const brings = /^(?:import (?!type )(?:[^']* from )?|export (?:\*|\{)[^']* from )'([^']+)'|\bimport\('([^']+)'\)/gm
  for (const [, name = '', later = name] of readSource(path).matchAll(brings)) {
    if (later.startsWith('.')) builtOf(join(dirname(path), later), found)
    else if (later.startsWith('@masthead/contract/')) builtOf(later.replace('@masthead/contract', 'packages/contract/src') + '.ts', found)
  }
  return found
}

test('of all calls the agent has those that a device makes built into it, so that the words of no other one make it a newer agent', () => {
  const words = [...builtOf('apps/agent/src/main.ts')].filter((path) => /(operations|problems?)\.ts$/.test(path))
  const folder = 'packages/contract/src/devices/agent'
  expect(words.toSorted()).toEqual([`${folder}/device-operations.ts`, `${folder}/device-problems.ts`])
})

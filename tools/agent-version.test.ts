import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { AgentVersion, isNewer } from '@masthead/contract/devices/agent/update'

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

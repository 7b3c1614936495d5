import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { AgentVersion, isNewer } from '@masthead/contract/devices/agent/update'

const root = mkdtempSync(join(tmpdir(), 'agent-version-'))
afterAll(() => rmSync(root, { recursive: true }))

const write = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
const from = JSON.stringify(new URL('./agent-version.mjs', import.meta.url).href)
const version = () => {
  const words = `import { agentVersion } from ${from}\nconsole.log(agentVersion(${JSON.stringify(root)}))`
  return execFileSync(process.execPath, ['--input-type=module', '-e', words], { encoding: 'utf8' }).trim()
}
const git = (at: string, ...words: string[]) => {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.test', '-c', 'commit.gpgsign=false']
  const env = { ...process.env, GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at }
  execFileSync('git', ['-C', root, ...who, ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}
const commit = (at: string) => {
  git(at, 'add', '-A')
  git(at, 'commit', '-q', '-m', 'x')
}

test('the version of the agent rises with a change of what it is made of, and with nothing else', () => {
  write('package-lock.json', '{}')
  write('tools/build-agent.mjs', '')
  write('apps/agent/package.json', '{ "version": "0.1.0" }')
  write('apps/agent/src/main.ts', "import { a } from './part/a.ts'\nconst b = await import('./b.ts')\nimport ws from 'ws'\n")
  write('apps/agent/src/part/a.ts', "import { c } from '@masthead/contract/devices/c'\n")
  write('apps/agent/src/b.ts', '')
  write('packages/contract/src/devices/c.ts', "export { d } from '../d.ts'\n")
  write('packages/contract/src/d.ts', '')
  write('packages/contract/src/of-others.ts', '')
  git('', 'init', '-q')
  commit('2026-12-01T00:01:00Z')
  const first = version()
  expect([first, AgentVersion.safeParse(first).success]).toEqual(['0.334.60', true])
  expect(isNewer(first, '0.1.0')).toBe(true)

  write('packages/contract/src/of-others.ts', 'changed')
  write('apps/agent/src/a.test.ts', 'changed')
  commit('2026-12-02T00:00:00Z')
  expect(version()).toBe(first)

  let before = first
  for (const [n, file] of ['packages/contract/src/d.ts', 'apps/agent/src/b.ts', 'package-lock.json'].entries()) {
    write(file, 'changed')
    commit(`2026-12-03T00:0${n}:00Z`)
    expect(isNewer(version(), before), file).toBe(true)
    before = version()
  }

  // What is not committed has the time of its file, as has all of it where there is no git.
  write('apps/agent/src/b.ts', 'again')
  const later = Date.UTC(2026, 11, 4) / 1000
  utimesSync(join(root, 'apps/agent/src/b.ts'), later, later)
  const others = ['apps/agent/src/main.ts', 'apps/agent/src/part/a.ts', 'packages/contract/src/devices/c.ts', 'packages/contract/src/d.ts']
  for (const file of [...others, 'package-lock.json', 'tools/build-agent.mjs']) utimesSync(join(root, file), 0, 0)
  expect(version()).toBe('0.337.0')
  rmSync(join(root, '.git'), { recursive: true })
  expect(version()).toBe('0.337.0')
})

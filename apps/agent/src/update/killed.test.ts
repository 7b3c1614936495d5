import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '../version.ts'
import { programOf, readStanding, writeStanding } from './standing.ts'

// kill -9 before changes of files that an update makes, by a process that kills itself there: whatever is left, a whole version is in use, and the
// next try comes to the end. Before every third; AGENT_KILLS=1 before each.

const stride = Number(process.env.AGENT_KILLS ?? 3)

const killing = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
let left = Number(process.env.KILL_BEFORE)
for (const name of ['openSync', 'writeSync', 'fsyncSync', 'closeSync', 'renameSync', 'rmSync', 'mkdirSync']) {
  const real = fs[name]
  fs[name] = (...given) => {
    if (--left === 0) process.kill(process.pid, 'SIGKILL')
    return real(...given)
  }
}
syncBuiltinESMExports()`

const older = `console.log('${version}')`
const newer = `console.log('0.2.0')`

test('wherever an update is killed, a whole version is in use, and the next try comes to its end', { timeout: 400_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-killed-'))
  const server = createServer((_asked, answer) => answer.end(newer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const preload = join(folder, 'killing.mjs')
    writeFileSync(preload, killing)
    const wish = { id: 'one', version: '0.2.0', sha256: createHash('sha256').update(newer).digest('hex') }
    const run = async (home: string, before: number) => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const args = ['--disable-warning=ExperimentalWarning', '--import', preload, join(import.meta.dirname, 'test-steps.ts')]
      const child = spawn(process.execPath, [...args, home, url, JSON.stringify(wish)], {
        env: { KILL_BEFORE: String(before) },
        stdio: 'inherit',
      })
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      return signal ?? code
    }
    const inUse: string[] = []
    for (let before = 1; ; before += stride) {
      const home = join(folder, String(before))
      mkdirSync(dirname(programOf(home, version)), { recursive: true })
      writeFileSync(programOf(home, version), older)
      writeStanding(home, { current: version, trial: null, left: null })
      const ended = await run(home, before)
      const { current, left } = readStanding(home)!
      expect(left).toBeNull()
      expect(readFileSync(programOf(home, current), 'utf8'), `killed before step ${before}`).toBe(current === version ? older : newer)
      inUse.push(current)
      if (ended !== 'SIGKILL') {
        expect([ended, current]).toEqual([0, '0.2.0'])
        break
      }
      // The rest of the way is long: some walk it.
      if (inUse.length % 4 !== 0) continue
      expect(await run(home, 0)).toBe(0)
      expect(readStanding(home), `killed before step ${before}`).toEqual({ current: '0.2.0', trial: null, left: null })
    }
    // It was killed on both sides of the moment from which the new one is in use, and that moment is one.
    expect(inUse.length).toBeGreaterThan(24 / stride)
    expect(inUse.lastIndexOf(version)).toBe(inUse.indexOf('0.2.0') - 1)
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

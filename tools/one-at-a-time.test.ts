import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const dir = mkdtempSync(join(tmpdir(), 'masthead-lock-'))
const lock = join(dir, 'lock')
const counter = join(dir, 'counter')
afterAll(() => rmSync(dir, { recursive: true }))

/** A process that adds one to a file, in two steps that others must not come between. */
async function addOne() {
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs'
    import { setImmediate as turn } from 'node:timers/promises'
    const { oneAtATime } = await import(${JSON.stringify(new URL('./one-at-a-time.mjs', import.meta.url).href)})
    await oneAtATime(${JSON.stringify(lock)}, 'Another adds', async () => {
      const before = Number(readFileSync(${JSON.stringify(counter)}, 'utf8'))
      for (let i = 0; i < 200; i++) await turn()
      writeFileSync(${JSON.stringify(counter)}, String(before + 1))
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(0)
}

test('lets processes in one after the other, also past the claim of one that was killed', async () => {
  writeFileSync(counter, '0')
  writeFileSync(lock, '1 0 of another boot\n')
  await Promise.all(Array.from({ length: 6 }, addOne))
  expect(readFileSync(counter, 'utf8')).toBe('6')
  expect(existsSync(lock)).toBe(false)
})

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'masthead-keep-'))
afterAll(() => rmSync(folder, { recursive: true }))
const script = join(import.meta.dirname, 'keep-running.sh')
let made = 0

/** Keeps a piece of shell running, which knows its how manieth run it is as $n. */
function keep(piece: string) {
  const runs = join(folder, `runs-${++made}`)
  writeFileSync(runs, '')
  const program = `echo run >> ${runs}; n=$(wc -l < ${runs}); ${piece}`
  const child = spawn('sh', [script, 'sh', '-c', program], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [said, out] = ['', '']
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, said: () => said, out: () => out, runs: () => readFileSync(runs, 'utf8').split('\n').length - 1 }
}

test('a program that ended well, or could not start the first time, is left alone', async () => {
  const [well, never] = [keep('exit 0'), keep('exit 1')]
  expect([await well.ended, well.runs(), await never.ended, never.runs()]).toEqual([0, 1, 1, 1])
})

test('one that was killed, or fell by a mistake, is started again with a line in the log; so is one that cannot start then', async () => {
  const kept = keep('case $n in 1) kill -9 $$;; 2) exit 1;; *) exit 0;; esac')
  expect(await kept.ended).toBe(0)
  expect(kept.runs()).toBe(3)
  const lines = kept
    .said()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const words = 'Masthead ended unexpectedly and is started again in'
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { code: 137, msg: `${words} 1 s` },
    { code: 1, msg: `${words} 2 s` },
  ])
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s asks the program to end, waits for it, and ends as it did', async (signal) => {
  const kept = keep(`trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.05; done`)
  await expect.poll(kept.out).toContain('up')
  kept.child.kill(signal)
  expect(await kept.ended).toBe(7)
  expect([kept.out(), kept.runs()]).toEqual(['up\nbye\n', 1])
})

test('asked to end after the program was killed, it is run once more to end what it left behind', async () => {
  const kept = keep('[ "$MASTHEAD_END_LEFT_BEHIND" = on ] && echo ended && exit 0; kill -9 $$')
  await expect.poll(kept.said).toContain('started again in 1 s')
  kept.child.kill('SIGTERM')
  expect(await kept.ended).toBe(0)
  expect([kept.out(), kept.runs()]).toEqual(['ended\n', 2])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endServer, startServer } from './process.ts'

async function stoppedProcess() {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  await once(child, 'spawn')
  child.kill('SIGSTOP')
  await expect.poll(() => readFileSync(`/proc/${child.pid}/stat`, 'utf8')).toMatch(/\) T /)
  return child
}

test('a server that was stopped where it stands, and answers nothing, is killed before its time to write is over', async () => {
  const child = await stoppedProcess()
  expect(await endServer(child, { answers: async () => false })).toBe(false)
  expect(child.signalCode).toBe('SIGKILL')
})

test('a server that answers and does not end is killed when its time to write is over', async () => {
  const child = await stoppedProcess()
  let asked = 0
  expect(await endServer(child, { answers: async () => ++asked > 0, patience: 40 })).toBe(false)
  expect([child.signalCode, asked]).toEqual(['SIGKILL', 0])
})

test('a server that writes its last is left to it as long as it answers', async () => {
  const child = spawn('sh', ['-c', `trap 'sleep 1; exit 0' INT; echo ready; while :; do sleep 0.05; done`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  expect(await endServer(child, { answers: async () => true })).toBe(true)
  expect([child.exitCode, child.signalCode]).toEqual([0, null])
})

test('a server that does not start says why, whatever it says of its shutdown afterwards', async () => {
  const says = ['FATAL:  could not write: No space left on device', ...Array.from({ length: 6 }, (_, i) => `LOG:  shutting down ${i}`)]
  const { ready } = startServer('/bin/sh', ['-c', `printf '%s\\n' "$@" >&2`, 'sh', ...says], undefined, () => {})
  await expect(ready).rejects.toThrow(/^FATAL: {2}could not write: No space left on device$/)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endServer, startServer } from './process.ts'

test('a server that was stopped where it stands, and hears nothing, is ended all the same', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  await once(child, 'spawn')
  child.kill('SIGSTOP')
  await expect.poll(() => readFileSync(`/proc/${child.pid}/stat`, 'utf8')).toMatch(/\) T /)
  await endServer(child, 'SIGINT', 40)
  expect(child.signalCode).toBe('SIGKILL')
})

test('a server that does not start says why, whatever it says of its shutdown afterwards', async () => {
  const says = ['FATAL:  could not write: No space left on device', ...Array.from({ length: 6 }, (_, i) => `LOG:  shutting down ${i}`)]
  const { ready } = startServer('/bin/sh', ['-c', `printf '%s\\n' "$@" >&2`, 'sh', ...says], undefined, () => {})
  await expect(ready).rejects.toThrow(/^FATAL: {2}could not write: No space left on device$/)
})

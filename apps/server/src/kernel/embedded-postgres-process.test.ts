import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endServer } from './embedded-postgres-process.ts'

test('a server that was stopped where it stands, and hears nothing, is ended all the same', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  await once(child, 'spawn')
  child.kill('SIGSTOP')
  await expect.poll(() => readFileSync(`/proc/${child.pid}/stat`, 'utf8')).toMatch(/\) T /)
  await endServer(child, 'SIGINT', 40)
  expect(child.signalCode).toBe('SIGKILL')
})

import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { fileBlobs } from '../../kernel/blobs/file-blobs.ts'
import { bytesOf } from './cast.ts'
import { keepLeft } from './keep-left.ts'
import { recordingKey } from './recording-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'recorders-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const unit = 'grün 日本 🚚\r\n'

/** Killed with SIGKILL while it records; how many bytes it had written each second. */
async function killed(id: string): Promise<number[]> {
  const seconds: number[] = []
  const options = { execArgv: ['--disable-warning=ExperimentalWarning'] }
  const child = fork(new URL('./test-recorder-process.ts', import.meta.url), [folder, 'acc_one', id], options)
  child.on('message', (bytes: number) => seconds.push(bytes))
  while (seconds.length < 5) await once(child, 'message')
  await pause(randomInt(0, 1000))
  child.kill('SIGKILL')
  await once(child, 'exit')
  return seconds
}

test('a server that is killed while it records loses its last three seconds at most, and no byte of what is kept is another', async () => {
  const blobs = fileBlobs(folder)
  const ids = ['one', 'two', 'three']
  const all = await Promise.all(ids.map(killed))
  for (const [nth, id] of ids.entries()) {
    const session = { account_id: 'acc_one', id }
    expect(await keepLeft(blobs, session)).toBe(true)
    const cast = await text((await blobs.read(recordingKey(session)))!)
    expect(cast.split('\n').at(-2)).toContain('The server stopped: the recording ends here')
    const kept = bytesOf(cast)
    // Counted by its own seconds, and three of them: what it wrote is on its way to the disk while a busy machine does something else.
    expect(kept.length).toBeGreaterThanOrEqual(all[nth]!.at(-3)!)
    expect(kept.equals(Buffer.from(unit.repeat(Math.ceil(kept.length / Buffer.byteLength(unit)))).subarray(0, kept.length))).toBe(true)
  }
}, 60_000)

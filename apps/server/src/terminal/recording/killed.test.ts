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

/** Killed with SIGKILL while it records; how many bytes of the shell it said to have written. */
async function killed(id: string): Promise<number> {
  const written: number[] = []
  const options = { execArgv: ['--disable-warning=ExperimentalWarning'] }
  const child = fork(new URL('./test-recorder-process.ts', import.meta.url), [folder, 'acc_one', id], options)
  child.on('message', (bytes: number) => written.push(bytes))
  while (written.length < 5) await once(child, 'message')
  await pause(randomInt(0, 1000))
  child.kill('SIGKILL')
  await once(child, 'exit')
  return written.at(-1)!
}

// That all is written within a second of when it came is in recorder.test.ts.
test('a server that is killed while it records loses nothing that was written, and no byte of what is kept is another', async () => {
  const blobs = fileBlobs(folder)
  const ids = ['one', 'two', 'three']
  const all = await Promise.all(ids.map(killed))
  for (const [nth, id] of ids.entries()) {
    const session = { account_id: 'acc_one', id }
    expect(await keepLeft(blobs, session)).toBe(true)
    const cast = await text((await blobs.read(recordingKey(session)))!)
    expect(cast.split('\n').at(-2)).toContain('The server stopped: the recording ends here')
    const kept = bytesOf(cast)
    expect(kept.length).toBeGreaterThanOrEqual(all[nth]!)
    expect(kept.equals(Buffer.from(unit.repeat(Math.ceil(kept.length / Buffer.byteLength(unit)))).subarray(0, kept.length))).toBe(true)
  }
}, 60_000)

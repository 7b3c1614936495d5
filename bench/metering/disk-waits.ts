import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

const size = 16 * 2 ** 20
const block = Buffer.alloc(16 * 1024, 1)

/** What a commit waits for: ms until a block of 16 KiB is on disk, about 300 of them a second, with nothing else asked of the disk. */
export async function diskWaits(seconds: number): Promise<{ p50: number; p99: number; max: number }> {
  const dir = mkdtempSync(join(tmpdir(), 'masthead-disk-'))
  const file = await open(join(dir, 'file'), 'w')
  try {
    await file.write(Buffer.alloc(size))
    await file.sync()
    const waits = createHistogram()
    const end = performance.now() + seconds * 1000
    for (let at = 0; performance.now() < end; at = (at + block.length) % size) {
      const begun = performance.now()
      await file.write(block, 0, block.length, at)
      await file.datasync()
      waits.record(Math.max(1, Math.round((performance.now() - begun) * 1e6)))
      await pause(3)
    }
    const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e4) / 100
    return { p50: ms(waits.percentile(50)), p99: ms(waits.percentile(99)), max: ms(waits.max) }
  } finally {
    await file.close()
    rmSync(dir, { recursive: true })
  }
}

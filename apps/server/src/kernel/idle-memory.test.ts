import { expect, test } from 'vitest'
import { giveMemoryBackWhenIdle } from './idle-memory.ts'

test('what a burst left behind is given back once the process is idle, and again after the next', async () => {
  const giving = giveMemoryBackWhenIdle(50)
  const heap = () => process.memoryUsage().heapUsed
  for (let times = 1; times <= 2; times++) {
    let burst: object[] = Array.from({ length: 600_000 }, (_, n) => ({ n, text: `burst ${n}` }))
    const full = heap()
    expect(burst).toHaveLength(600_000)
    burst = []
    // V8 would do so by itself after eight seconds.
    await expect.poll(heap, { interval: 500, timeout: 6000 }).toBeLessThan(full - 30_000_000)
  }
  giving.stop()
}, 30_000)

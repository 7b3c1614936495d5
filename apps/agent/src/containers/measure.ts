import { availableParallelism } from 'node:os'
import type { Engine, Inspected, Stats } from '../engine/engine.ts'
import type { Measured } from './container-state.ts'

type Last = { at: number; total: number }

/** What containers use. The processor is a share of the whole machine, since the measurement before: one engine gives no earlier sample. */
export function measurer(engine: Pick<Engine, 'stats' | 'digestOf'>, now: () => Date) {
  const last = new Map<string, Last>()
  const digests = new Map<string, string>()
  return async (one: Inspected | undefined): Promise<Measured & { digest: string | null }> => {
    if (!one) return { cpu_pct: null, memory_bytes: null, digest: null }
    const isOn = one.State.Status === 'running'
    const [stats, digest] = await Promise.all([
      isOn ? engine.stats(one.Id).catch(() => undefined) : undefined,
      digestOf(one.Image, one.Config.Image.split('@')[1]),
    ])
    if (last.size > 200) last.clear()
    return { ...(stats ? read(one.Id, stats) : { cpu_pct: null, memory_bytes: null }), digest }
  }

  function read(id: string, { cpu_stats, memory_stats }: Stats): Measured {
    const total = cpu_stats?.cpu_usage?.total_usage
    const at = now().getTime()
    const before = last.get(id)
    if (total !== undefined) last.set(id, { at, total })
    const memory = memory_stats?.usage
    return {
      cpu_pct:
        total === undefined || !before || at <= before.at || total < before.total ? null : share(total - before.total, at - before.at),
      // Cached pages of files can be given back at any time.
      memory_bytes: memory === undefined ? null : Math.max(0, memory - (memory_stats?.stats?.inactive_file ?? 0)),
    }
  }

  async function digestOf(image: string, asked: string | undefined) {
    const key = `${image} ${asked}`
    const known = digests.get(key)
    if (known !== undefined) return known
    const digest = await engine.digestOf(image, asked).catch(() => null)
    if (digests.size > 100) digests.clear()
    // What could not be read now may be read the next time.
    if (digest !== null) digests.set(key, digest)
    return digest
  }
}

const share = (busy_ns: number, ms: number) => Math.min(100, Math.round((busy_ns / 1e6 / ms / availableParallelism()) * 10_000) / 100)

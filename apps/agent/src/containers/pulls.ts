import type { DesiredContainer } from '@masthead/contract/devices/agent/container'

type Pull = { generation: number; stop: AbortController; ended: Promise<void>; percent: number | null }

/** A slow link is shared by so many at most; further ones come when one of them has ended. */
const mostPulls = 3

/** Images on their way, by the container that waits for them: the others are looked after meanwhile. `done` is called when one is there, failed or was given up. */
export function openPulls(done: () => void) {
  const pulls = new Map<string, Pull>()
  return {
    isPulling: (name: string): boolean => pulls.has(name),
    /** Null: none is on its way, or nobody says how far it is. */
    percentOf: (name: string): number | null => pulls.get(name)?.percent ?? null,
    /** Begins one, if it is not on its way and there is room. `failed` gets why it did not come, unless it was given up. */
    begin(
      { name, generation }: Pick<DesiredContainer, 'name' | 'generation'>,
      pull: (signal: AbortSignal, onPercent: (percent: number) => void) => Promise<void>,
      failed: (error: unknown) => void
    ): boolean {
      if (pulls.has(name) || pulls.size >= mostPulls) return false
      const stop = new AbortController()
      const onPercent = (percent: number) => {
        const own = pulls.get(name)
        if (own?.stop === stop) own.percent = percent
      }
      const ended = pull(stop.signal, onPercent)
        .catch((error: unknown) => void (stop.signal.aborted || failed(error)))
        .finally(() => {
          pulls.delete(name)
          done()
        })
      pulls.set(name, { generation, stop, ended, percent: null })
      return true
    },
    /** Gives up those that nobody wants any more. */
    keepOnly(wanted: readonly Pick<DesiredContainer, 'name' | 'generation'>[]): void {
      for (const [name, { generation, stop }] of pulls)
        if (!wanted.some((each) => each.name === name && each.generation === generation)) stop.abort()
    },
    async stop(): Promise<void> {
      for (const { stop } of pulls.values()) stop.abort()
      await Promise.all([...pulls.values()].map(({ ended }) => ended))
    },
  }
}

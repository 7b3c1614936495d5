import type { ContainerProblem, ReportedContainer } from '@masthead/contract/devices/agent/container'

type Trouble = { code: ContainerProblem; words: string; since: Date; next_at: Date; tries: number }

const first = 10_000 // ms
const longest = 300_000 // ms
/** A container that ends again so soon after it was started is not started again at once. */
const soon = 60_000 // ms

/** Which containers are left alone for a while, because a step of theirs failed: each time for longer. */
export function heldBack(random: () => number) {
  const troubles = new Map<string, Trouble>()
  const started = new Map<string, { at: Date; times: number }>()
  return {
    isHeld(name: string, at: Date): boolean {
      const wait = (troubles.get(name)?.next_at ?? at).getTime() - at.getTime()
      // None is longer: the clock of the device was set back.
      return wait > 0 && wait <= longest * 1.25
    },
    failed(name: string, { code, words }: { code: ContainerProblem; words: string }, at: Date): void {
      const before = troubles.get(name)
      const tries = (before?.tries ?? 0) + 1
      const wait = Math.min(longest, first * 2 ** (tries - 1)) * (0.75 + random() / 2)
      troubles.set(name, { code, words, since: before?.code === code ? before.since : at, next_at: new Date(at.getTime() + wait), tries })
    },
    /** It has ended and is to be started once more. Whether that may be now. */
    mayStart(name: string, at: Date): boolean {
      const before = started.get(name)
      const isSoon = before !== undefined && at.getTime() - before.at.getTime() < soon
      started.set(name, { at, times: isSoon ? before.times + 1 : 1 })
      return !isSoon || before.times < 2
    },
    /** It is as wanted, or something else is wanted of it. */
    clear: (name: string): void => void troubles.delete(name),
    keepOnly(names: ReadonlySet<string>): void {
      for (const each of [troubles, started]) for (const name of each.keys()) if (!names.has(name)) each.delete(name)
    },
    nextAt: (): Date | undefined => [...troubles.values()].map(({ next_at }) => next_at).toSorted((a, b) => a.getTime() - b.getTime())[0],
    problemOf(name: string): ReportedContainer['problem'] {
      const trouble = troubles.get(name)
      if (!trouble) return null
      const { code, words, since, next_at } = trouble
      return { code, words, since: since.toISOString(), next_at: next_at.toISOString() }
    },
  }
}

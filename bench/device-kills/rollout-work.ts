import { setTimeout as pause } from 'node:timers/promises'
import { isOpenRollout } from '@masthead/contract/alpon-fleets/rollout'
import type { Scene } from './scene.ts'

const plan = { phases: [50, 100], most_failed_percent: 100, retries: 3, minutes_a_device: 1, window: null }
/** Each try of a device in each phase, and once more for what a worker that was killed had begun. */
const endsWithin = (plan.phases.length * (plan.retries + 1) * plan.minutes_a_device + 2) * 60_000

/** Rolls one version out and then the other, as soon as the rollout before is over. Ends with one that is over, or that hangs. */
export async function workInRollouts({ fleet, goes, hung }: Scene, versions: readonly number[]): Promise<void> {
  let since = performance.now()
  for (let nth = 0; ; await pause(500)) {
    // A server that is away says nothing of it; the time goes on.
    const last = await fleet.last().catch(() => undefined)
    if (last && (last === 'none' || !isOpenRollout(last.state))) {
      if (!goes()) return
      since = performance.now()
      await fleet.start(versions[nth++ % versions.length]!, plan).catch(() => {})
    } else if (performance.now() - since > endsWithin) {
      hung.push(`A rollout took longer than ${endsWithin / 60_000} minutes`)
      return
    }
  }
}

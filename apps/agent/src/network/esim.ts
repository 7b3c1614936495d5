import type { EsimProgress, ReportedNetwork } from '@masthead/contract/devices/network/reported'
import type { EsimJob } from '@masthead/contract/devices/network/settings'
import { doJob, notifyProviders, readEsim } from './lpac.ts'
import type { NetworkMemoryFile } from './network-memory.ts'

/** Reading it takes the modem's channel for a while. */
const readsEvery = 600_000 // ms

type Given = { memory: NetworkMemoryFile; now: () => Date; onChange: () => void }

/** The eSIM of this machine: what it has, and what is to be done with its profiles, each once. */
export function keepEsim({ memory, now, onChange }: Given) {
  let known: Awaited<ReturnType<typeof readEsim>> | null = null
  let words: string | null = null
  let readAt: number | undefined
  /** The job that this run is at or was at. */
  let own: number | undefined
  let unnotified = false

  return {
    profiles: () => known?.profiles ?? null,
    /** Another profile was enabled, so what is known is old. Its provider is notified once no change waits for the time that this takes. */
    switched(): void {
      readAt = undefined
      unnotified = true
    },
    async look(): Promise<void> {
      if (readAt !== undefined && performance.now() - readAt < readsEvery) return
      readAt = performance.now()
      try {
        known = await readEsim()
        words = null
      } catch (error) {
        known = null
        words = (error as Error).message
      }
    },
    /** It is noted before it is begun: an activation code is worth nothing the second time. */
    async work(job: EsimJob | null): Promise<void> {
      if (unnotified) {
        onChange()
        unnotified = false
        await notifyProviders()
      }
      if (!job || memory.get().esim?.generation === job.generation) return
      own = job.generation
      const at = () => now().toISOString()
      let progress: EsimProgress = { generation: own, do: job.do, state: 'running', step: null, percent: 0, words: null, at: at() }
      const note = (part: Partial<EsimProgress>, { sure = false } = {}) => {
        progress = { ...progress, ...part, at: at() }
        memory.change({ esim: progress }, { sure })
        onChange()
      }
      note({}, { sure: true })
      try {
        const done = await doJob(job, (step, percent) => note({ step: step.slice(0, 80), percent }))
        note({ state: 'done', step: null, percent: 100, ...done })
      } catch (error) {
        note({ state: 'failed', words: (error as Error).message })
      }
      readAt = undefined
    },
    report(): ReportedNetwork['esim'] {
      const job = memory.get().esim
      // Not read yet: nothing is known of it.
      if (!known && words === null && !job) return null
      const isLost = job?.state === 'running' && job.generation !== own
      const lost = 'The agent was interrupted. The profiles that are there say whether it was done'
      return {
        words,
        eid: known?.eid ?? null,
        profiles: known?.profiles ?? [],
        job: isLost ? { ...job, state: 'failed', words: lost } : job,
      }
    },
  }
}

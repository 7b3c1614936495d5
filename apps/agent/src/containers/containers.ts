import type { ReportedContainer } from '@masthead/contract/devices/agent/container'
import type { DesiredState } from '@masthead/contract/devices/agent/messages'
import { plan, type Held, type Step } from '@masthead/contract/devices/agent/plan'
import type { Engine, Inspected, RegistryLogin } from '../engine/engine.ts'
import { problemOf } from '../engine/trouble.ts'
import type { KeptNotes } from '../notes.ts'
import { carryOut } from './carry-out.ts'
import { heldBack } from './held-back.ts'
import { heldOf, nameOf, reportOf, shownOf } from './container-state.ts'
import { measurer } from './measure.ts'
import { openPulls } from './pulls.ts'
import { manyRestarts } from './trial.ts'
import { watchRuns } from './watch-runs.ts'

/** So often it is checked whether all is as wanted, and at the latest. */
const looksEvery = 15_000 // ms
/** And while it is not known yet whether a new container comes up. */
const triesEvery = 3000 // ms

export type ContainersReport = {
  containers: ReportedContainer[] | null
  engine: string | null
  engine_words: string | null
  revision: number
}

type Given = {
  engine: Engine
  notes: KeptNotes
  /** What an image is pulled with. */
  loginFor: (image: string) => Promise<RegistryLogin | null>
  now: () => Date
  random: () => number
  runClock?: (() => number) | undefined
  onChange: () => void
}

/** Keeps the containers of this machine as they are wanted. One check at a time: what comes meanwhile is seen in the next. No check waits for an image. */
export function keepContainers({ engine, notes, loginFor, now, random, runClock, onChange }: Given) {
  const held = heldBack(random)
  const measure = measurer(engine, now)
  const pulls = openPulls(wake)
  const runs = watchRuns(runClock)
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let last: ContainersReport = { containers: null, engine: null, engine_words: 'The container engine was not asked yet', revision: 0 }

  const desired = (): DesiredState => notes.get().desired ?? { revision: 0, containers: [], network: null }

  function wake() {
    if (stopped) return
    clearTimeout(timer)
    if (running) return void (again = true)
    running = look()
      .catch((error: unknown) => void (last = { ...last, containers: null, engine_words: (error as Error).message.slice(0, 500) }))
      .finally(() => {
        running = undefined
        onChange()
        if (again) {
          again = false
          return wake()
        }
        const next = (held.nextAt()?.getTime() ?? Infinity) - now().getTime()
        if (!stopped) timer = setTimeout(wake, Math.max(1000, Math.min(looksEvery, next, isTrying() ? triesEvery : looksEvery)))
      })
  }

  /** What is kept of before for the generation that is wanted now. */
  const keptFor = (name: string) => {
    const kept = notes.get().kept[name]
    return kept && desired().containers.some((each) => each.name === name && each.generation === kept.generation) ? kept : undefined
  }
  const isTrying = () => desired().containers.some(({ name }) => keptFor(name)?.failed === null)

  async function look(): Promise<void> {
    const version = await engine.version()
    const { revision, containers } = desired()
    const there = await engine.list()
    const kept = Object.entries(notes.get().kept).filter(([, { id }]) => there.some(({ Id }) => Id === id))
    if (kept.length < Object.keys(notes.get().kept).length) notes.change({ kept: Object.fromEntries(kept) })
    runs.see(there)
    const seen = there.map((each) => heldOf(each, notes.get(), runs.ranFor(each.Id)))
    // Who does not know what is wanted (the server never said so, or its notes are lost) touches nothing.
    const steps = notes.get().desired ? plan({ ...notes.get(), containers: seen }, containers) : []
    const moving = new Set(steps.map(({ name }) => name))
    held.keepOnly(new Set(containers.map(({ name }) => name)))
    for (const { name } of containers) if (!moving.has(name)) held.clear(name)
    await doAll(steps, seen, revision)
    last = { containers: await report(), engine: version.slice(0, 120), engine_words: null, revision }
  }

  /** Whose step failed, or whose image is on its way, waits with all later steps of the same container. */
  async function doAll(steps: Step[], seen: Held[], revision: number) {
    const made = new Map<string, string>()
    const failed = new Set<string>()
    for (const step of steps) {
      // Something else is wanted by now: the next check plans anew.
      if (stopped || desired().revision !== revision) return
      const { name } = step
      if (failed.has(name) || held.isHeld(name, now())) continue
      const ended = step.do === 'start' ? seen.find(({ id }) => id === step.id) : undefined
      if (ended?.state === 'exited' && !held.mayStart(name, now())) {
        held.failed(
          name,
          { code: 'crash_loop_backoff', words: `It ended with exit code ${ended.exit_code} soon after it was started` },
          now()
        )
        failed.add(name)
        continue
      }
      if (step.do === 'pull') {
        failed.add(name)
        pulls.begin(
          step.wanted,
          (signal, onPercent) => carryOut(step, { engine, notes, loginFor, made, now, signal, onPercent }),
          (error) => held.failed(name, problemOf('pull', error), now())
        )
        continue
      }
      try {
        await carryOut(step, { engine, notes, loginFor, made, now, signal: AbortSignal.timeout(300_000) })
      } catch (error) {
        failed.add(name)
        const problem = problemOf(step.do, error)
        if (!isGivenUp(step, problem)) held.failed(name, problem, now())
      }
    }
  }

  /** What takes the place of another and the engine does not start is not tried again: the one before runs on at once. */
  function isGivenUp(step: Step, { code, words }: ReturnType<typeof problemOf>): boolean {
    const kept = keptFor(step.name)
    if (!['start_new', 'start', 'restart'].includes(step.do) || code === 'engine_away' || kept?.failed !== null) return false
    notes.change({ kept: { ...notes.get().kept, [step.name]: { ...kept, failed: { words, at: now().toISOString() } } } })
    again = true
    return true
  }

  async function report(): Promise<ReportedContainer[]> {
    const there = await engine.list()
    const names = [...new Set([...desired().containers.map(({ name }) => name), ...there.map(nameOf)])]
    return Promise.all(
      names.map(async (name) => {
        const one = shownOf(there, name)
        const more = await measure(one)
        const problem = held.problemOf(name) ?? rolledBack(name, there) ?? crashOf(one)
        return reportOf(one, { name, ...more, problem, downloads: pulls.isPulling(name), percent: pulls.percentOf(name) })
      })
    )
  }

  function rolledBack(name: string, there: readonly Inspected[]): ReportedContainer['problem'] {
    const kept = keptFor(name)
    if (!kept?.failed || !there.some(({ Id }) => Id === kept.id)) return null
    return { code: 'rolled_back', words: kept.failed.words.slice(0, 500), since: kept.failed.at, next_at: null }
  }

  /** A container that the engine starts again and again. */
  function crashOf(one: Inspected | undefined): ReportedContainer['problem'] {
    if (!one || (one.RestartCount ?? 0) < manyRestarts) return null
    const { Status, ExitCode, OOMKilled, StartedAt } = one.State
    const isYoung = now().getTime() - new Date(StartedAt).getTime() < 60_000
    if (Status !== 'restarting' && !(Status === 'running' && isYoung)) return null
    const words = `It ended with exit code ${ExitCode}${OOMKilled ? ', out of memory' : ''}; ${one.RestartCount} restarts`
    return { code: 'crash_loop_backoff', words, since: now().toISOString(), next_at: null }
  }

  return {
    start: wake,
    /** Checks at once, for a report that somebody waits for. */
    look: wake,
    report: () => last,
    setDesired(next: DesiredState): void {
      const { containers: before } = desired()
      for (const wanted of next.containers) {
        const old = before.find(({ name }) => name === wanted.name)
        if (old?.generation !== wanted.generation || old.restart !== wanted.restart || old.run !== wanted.run) held.clear(wanted.name)
      }
      const names = new Set(next.containers.map(({ name }) => name))
      const { pulled, restarted } = notes.get()
      const kept = { ...notes.get().kept }
      const only = <Value>(record: Record<string, Value>): Record<string, Value> =>
        Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)))
      // Who asks for a restart asks to try the new one again.
      for (const { name, restart } of next.containers)
        if (kept[name]?.failed && before.find((each) => each.name === name)?.restart !== restart)
          kept[name] = { ...kept[name], failed: null }
      notes.change({ desired: next, pulled: only(pulled), restarted: only(restarted), kept: only(kept) })
      pulls.keepOnly(next.containers)
      wake()
    },
    stop: async (): Promise<void> => {
      stopped = true
      clearTimeout(timer)
      await running
      await pulls.stop()
    },
  }
}

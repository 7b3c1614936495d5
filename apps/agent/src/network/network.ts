import { isProfileStep, planNetwork, planPin, type Outcome, type Trial } from '@masthead/contract/devices/network/plan'
import type { Modem, NetworkChange, PinReport, ReportedNetwork } from '@masthead/contract/devices/network/reported'
import { inOrder } from '@masthead/contract/devices/network/view'
import type { Interface } from '@masthead/contract/devices/agent/messages'
import type { KeptNotes } from '../notes.ts'
import { openNetworkMemory } from './network-memory.ts'
import { keepEsim } from './esim.ts'
import { listWifi, readManager, type Managed } from './connections.ts'
import { carryOut, putBack } from './steps.ts'
import { readModem, unlockSim } from './modem.ts'
import { ProgramTrouble } from './run-program.ts'

/** So long a change is on trial. With the last question whether the server is reached, and with its undoing, it is within two minutes. */
const trialLasts = 90_000 // ms
const undoLasts = 20_000 // ms
const looksEvery = 60_000 // ms
const checksEvery = 3000 // ms
/** One step is given so long. */
const stepWaits = 40_000 // ms

type Given = {
  notes: KeptNotes
  memoryPath: string
  /** Whether the server answers on a new connection. */
  reach: () => Promise<boolean>
  interfaces: () => Interface[]
  now: () => Date
  say: (words: string) => void
  onChange: () => void
  /** A change was kept or undone: connections from before may lead nowhere. */
  onSettled: () => void
  lasts?: number
}

/**
 * Keeps the network of this machine as it is wanted. What was there before a change is on the disk before the change begins, and is put back unless
 * the server is reached in time: also by the next run of the agent.
 */
export function keepNetwork({ notes, memoryPath, reach, interfaces, now, say, onChange, onSettled, lasts = trialLasts }: Given) {
  const memory = openNetworkMemory(memoryPath)
  const esim = keepEsim({ memory, now, onChange })
  /** When the trial that this run began is over; by a clock that nobody sets. */
  let ends: number | undefined
  let applying = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let managed: Managed | null = null
  let words: string | null = null
  let cannot: string | null = null
  let scanned_at: string | null = null
  let modem: Modem | null = null
  let modemWords: string | null = null

  const desired = () => notes.get().desired?.network ?? null

  function wake() {
    if (stopped) return
    clearTimeout(timer)
    if (running) return void (again = true)
    running = turn()
      .catch((error: unknown) => say(`Network: ${(error as Error).message}`))
      .finally(() => {
        running = undefined
        onChange()
        if (stopped) return
        if (again) {
          again = false
          return wake()
        }
        const left = (ends ?? 0) - performance.now()
        const next = Math.min(checksEvery, lasts / 4, left > 0 ? left : Infinity)
        timer = setTimeout(wake, memory.get().trial ? next : looksEvery)
      })
  }

  async function turn(): Promise<void> {
    const { trial, last } = memory.get()
    const own = ends !== undefined
    if (!trial) {
      await look()
      await esim.look()
    }
    const move = planNetwork({
      connections: managed?.connections ?? [],
      // Who does not know how the network is changes nothing of it.
      desired: managed ? desired() : null,
      trial,
      own,
      reached: trial !== null && own && (await reach()),
      over: own && performance.now() >= ends!,
      last,
      hasWifi: managed?.seen != null,
      profiles: esim.profiles(),
    })
    cannot = move.do === 'cannot' ? move.words : null
    if (move.do === 'undo') return undo(move)
    if (move.do === 'try') return tryOut(move)
    if (move.do === 'keep') settle('kept', move.words ?? reachedBy(trial))
    if (memory.get().trial) return
    await unlock()
    await esim.work(desired()?.esim ?? null)
  }

  async function look() {
    try {
      managed = await readManager()
      words = null
    } catch (error) {
      managed = null
      const { message } = error as Error
      words = error instanceof ProgramTrouble && error.missing ? 'NetworkManager is not there: its program nmcli is not installed' : message
    }
  }

  async function tryOut({ steps, undo: before, words: missing }: Extract<ReturnType<typeof planNetwork>, { do: 'try' }>) {
    const { generation } = desired()!
    const at = now()
    const until = new Date(at.getTime() + lasts).toISOString()
    memory.change({ trial: { generation, undo: before, began_at: at.toISOString(), until, words: missing, ending: null } })
    ends = performance.now() + lasts
    applying = true
    say(`Network settings of revision ${generation} are tried`)
    onChange()
    try {
      for (const step of steps) {
        const left = Math.ceil(ends - performance.now())
        if (left <= 0) break
        await carryOut(step, Math.min(stepWaits, left))
      }
    } catch (error) {
      return await undo({ state: 'failed', words: (error as Error).message })
    } finally {
      applying = false
    }
  }

  /** Until it is put back the trial stays on the disk. */
  async function undo({ state, words: why }: NonNullable<Trial['ending']>) {
    const trial = { ...memory.get().trial!, ending: { state, words: why } }
    // It is put back also where the disk is full: nobody could free it from afar.
    if (!memory.get().trial!.ending) memory.change({ trial }, { sure: false })
    say(`Network settings of revision ${trial.generation} are undone: ${why}`)
    const { left, whyLeft, said } = await putBack(trial.undo, undoLasts)
    if (trial.undo.some(isProfileStep)) esim.switched()
    if (left.length > 0) {
      // What is as before is not touched again: setting a connection up each time would break it each time.
      memory.change({ trial: { ...trial, undo: left } }, { sure: false })
      throw new Error(`Not all is as before yet: ${whyLeft}`)
    }
    settle(state, said ? `${why}. It is as before again, but: ${said}` : why)
  }

  /** Another APN or profile may be kept although the server was reached another way: then that is said. */
  function reachedBy(trial: Trial | null): string | null {
    if (!trial?.undo.some((step) => step.do === 'set_apn' || isProfileStep(step))) return null
    const [first] = inOrder(interfaces().filter(({ metric }) => metric !== null))
    return first && first.kind !== 'C'
      ? `The server was reached by ${first.name}, so nobody knows whether it is reached by the cellular connection`
      : null
  }

  function settle(state: Outcome['state'], said: string | null) {
    const { trial } = memory.get()
    const at = now().toISOString()
    const generation = trial?.generation ?? desired()!.generation
    const last: Outcome = { generation, state, words: said?.slice(0, 500) ?? null, began_at: trial?.began_at ?? at, ended_at: at }
    memory.change({ trial: null, last }, { sure: state === 'kept' })
    if (state === 'kept' && trial?.undo.some(isProfileStep)) esim.switched()
    ends = undefined
    if (trial) {
      say(`Network settings of revision ${generation}: ${state}`)
      onSettled()
    }
    again = true
  }

  /** The PIN, where the SIM asks for it. It is noted before that it is tried: no restart tries a wrong one twice. */
  async function unlock() {
    let sim: string | null = null
    try {
      const there = await readModem()
      modem = there?.modem ?? null
      sim = there?.sim ?? null
      modemWords = there ? null : 'ModemManager has no modem'
    } catch (error) {
      modem = null
      const { message } = error as Error
      modemWords =
        error instanceof ProgramTrouble && error.missing ? 'ModemManager is not there: its program mmcli is not installed' : message
      return
    }
    const pin = desired()?.pin ?? null
    const move = planPin({ pin, lock: modem?.lock ?? null, tries: modem?.pin_tries ?? null, memory: memory.get().pin })
    if (!pin || !modem || move.do === 'rest') return
    const { generation } = pin
    const at = now().toISOString()
    if (move.do === 'refuse') return memory.change({ pin: { generation, state: 'failed', words: move.words, at } })
    if (!sim) return
    memory.change({ pin: { generation, state: 'trying', words: null, at } })
    try {
      await unlockSim(sim, pin.code)
      memory.change({ pin: { generation, state: 'unlocked', words: null, at: now().toISOString() } }, { sure: false })
    } catch (error) {
      memory.change({ pin: { generation, state: 'refused', words: (error as Error).message, at: now().toISOString() } }, { sure: false })
    }
    again = true
  }

  function changeReport(): NetworkChange | null {
    const { trial, last } = memory.get()
    if (trial) {
      const { generation, began_at, until, words: said } = trial
      return { generation, state: applying ? 'applying' : 'trial', words: said, began_at, until, ended_at: null }
    }
    const wanted = desired()
    const why = words ?? cannot
    if (wanted && why && last?.generation !== wanted.generation) {
      const at = now().toISOString()
      return { generation: wanted.generation, state: 'failed', words: why, began_at: at, until: null, ended_at: at }
    }
    return last && { ...last, until: null }
  }

  function pinReport(): PinReport | null {
    const pin = desired()?.pin
    if (!pin) return null
    const known = memory.get().pin
    const at = now().toISOString()
    if (known?.generation !== pin.generation)
      return modem && modem.lock === null ? { generation: pin.generation, state: 'not_asked', words: null, at } : null
    if (known.state !== 'trying') return { ...known, state: known.state }
    return modem?.lock === null
      ? { ...known, state: 'unlocked' }
      : { ...known, state: 'failed', words: 'The agent was interrupted while it gave the PIN to the SIM. Set the PIN once more' }
  }

  return {
    start: wake,
    look: wake,
    /** Looks for Wi-Fi networks in reach. */
    async scan(): Promise<void> {
      const seen = await listWifi(true)
      if (managed) managed.seen = seen
      scanned_at = now().toISOString()
      onChange()
    },
    report(): ReportedNetwork {
      const apn = managed?.connections.find((each) => each.apn)?.apn
      return {
        at: now().toISOString(),
        words,
        manager: managed && `NetworkManager ${managed.version}`.slice(0, 80),
        modem_words: modemWords?.slice(0, 500) ?? null,
        interfaces: interfaces().map(({ name, kind, up, addresses, metric }) => {
          const link = managed?.links.find((each) => each.name === name)
          return {
            name,
            kind: link && link.kind !== 'X' ? link.kind : kind,
            up,
            addresses,
            metric,
            connection: link?.connection?.slice(0, 120) ?? null,
            internet: link?.internet ?? null,
          }
        }),
        apn: apn
          ? { name: apn.name?.slice(0, 100) ?? null, user: apn.user?.slice(0, 64) ?? null, has_password: apn.password !== null }
          : null,
        wifi: managed?.seen ? { scanned_at, networks: managed.seen } : null,
        esim: esim.report(),
        modem,
        change: changeReport(),
        pin: pinReport(),
      }
    },
    stop: async (): Promise<void> => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

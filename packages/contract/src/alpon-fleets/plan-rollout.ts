import type { Phase, RolloutDeviceState, RolloutPlan, RolloutState, Window } from './rollout.ts'

/** What is known of one device now. `outcome`: what it reported of the try that runs, if anything. Times are milliseconds since 1970. */
export type DeviceNow = {
  asset_id: string
  phase: number
  state: RolloutDeviceState
  attempts: number
  started_at: number | null
  online: boolean
  outcome: 'success' | 'failure' | null
  /** It failed before somebody resumed the rollout: that halts it no more. */
  forgiven?: boolean
  /** The pilot of the fleet. */
  pilot?: boolean
  /** Somebody has the version brought to it once more: what becomes of it halts and holds up nobody else. */
  restored?: boolean
}

/** A device that goes offline in the middle of its tries is tried so much more often than one that fails, and has failed then. */
const mostLost = 3

/**
 * `resumed_at`: when somebody last decided that it goes on after it halted; `pilot_passed_at`: when the pilot had run the version for its time. Null, or
 * left out: never.
 */
export type RolloutNow = { state: RolloutState; plan: RolloutPlan; resumed_at?: Date | null; pilot_passed_at?: Date | null }

/** What is to be done now. Each device is in one list at most. */
export type RolloutSteps = {
  start: string[]
  succeed: string[]
  /** The try failed, and another one is left. */
  again: string[]
  fail: string[]
  /** What the rollout is from now on, when that is another. */
  become: Extract<RolloutState, 'halted' | 'finished'> | null
  /** Devices that count towards a halt, after these steps. */
  failed: number
}

/** How many devices a phase reaches with those before it, of so many. */
export const devicesIn = (phase: Phase, count: number): number =>
  typeof phase === 'number' ? Math.ceil((count * phase) / 100) : Math.min(count, phase.devices)

/** The phase of each device, given how many there are: the first ones of the order are in the first phase. */
export function phasesOf(count: number, { phases }: Pick<RolloutPlan, 'phases'>): number[] {
  const ends = phases.map((phase) => devicesIn(phase, count))
  return Array.from({ length: count }, (_, nth) => ends.findIndex((end) => nth < end))
}

/**
 * Plans the next steps of a rollout from what is known now, and from nothing else: who is stopped between two steps plans the same again.
 * A phase begins when each device of those before it that can be reached is done, and one of them succeeded. A device that is offline is no
 * failure and holds up nobody: it is started when it is back. One that went offline in its try counts as failed until it is back: a version may
 * have cut it off. Where the pilot has a time, nothing else begins before it has run the version for so long. What has begun on a device ends by
 * itself, also while the rollout is paused or halted. One that has finished stays so: only what is restored goes on.
 */
export function planRollout(
  { state, plan, resumed_at = null, pilot_passed_at = null }: RolloutNow,
  devices: readonly DeviceNow[],
  now: number
): RolloutSteps {
  const steps: RolloutSteps = { start: [], succeed: [], again: [], fail: [], become: null, failed: 0 }
  if (state === 'aborted') return steps
  const settled = devices.filter(({ restored }) => restored || state !== 'finished').map((device) => settle(device, plan, now, steps))
  const others = settled.filter(({ restored }) => !restored)
  steps.failed = others.filter(counts).length
  if (state === 'running') {
    if (hasHalted(plan, others, resumed_at !== null || pilot_passed_at !== null)) return { ...steps, become: 'halted' }
    if (settled.every(isDone)) return { ...steps, become: 'finished' }
  } else if (state !== 'finished') return steps
  if (plan.window && !isWithin(plan.window, now)) return steps
  const open = openPhase(plan, others)
  const first =
    (plan.pilot_minutes ?? 0) > 0 ? others.find(({ pilot, state: is, forgiven }) => pilot && is !== 'success' && !forgiven) : null
  // A try that failed just now is recorded first, and begins again with the next plan.
  const failedNow = new Set(steps.again)
  steps.start = settled
    .filter((device) => device.state === 'pending' && device.online && !failedNow.has(device.asset_id))
    .filter((device) => device.restored || (first ? device === first : device.phase <= open))
    .map(({ asset_id }) => asset_id)
  return steps
}

const isDone = ({ state }: DeviceNow) => state === 'success' || state === 'failure'

/** The device after what it reported, or after its time ran out; the step is put into its list. */
function settle(device: DeviceNow, plan: RolloutPlan, now: number, steps: RolloutSteps): DeviceNow {
  if (device.state !== 'started') return device
  const { retries, minutes_a_device, pilot_minutes = 0 } = plan
  const isOver = now - device.started_at! >= (minutes_a_device + (device.pilot ? pilot_minutes : 0)) * 60_000
  // A device that went offline in the middle is given its whole time, and is tried again when it is back.
  const outcome = device.outcome ?? (isOver ? (device.online ? 'failure' : 'lost') : null)
  if (outcome === null) return device
  if (outcome === 'success') {
    steps.succeed.push(device.asset_id)
    return { ...device, state: 'success' }
  }
  if (device.attempts <= (outcome === 'lost' ? retries + mostLost : retries)) {
    steps.again.push(device.asset_id)
    return { ...device, state: 'pending' }
  }
  steps.fail.push(device.asset_id)
  return { ...device, state: 'failure' }
}

/** It failed, or was tried and is away since. */
const counts = ({ state, attempts, online, forgiven }: DeviceNow) =>
  !forgiven && (state === 'failure' || (state === 'pending' && attempts > 0 && !online))

/** More devices of a phase failed than may; or the pilot that is to run it first did, or is gone before it has and nobody said to go on without it. */
function hasHalted(
  { phases, most_failed_percent, pilot_minutes = 0 }: RolloutPlan,
  devices: readonly DeviceNow[],
  goesWithout: boolean
): boolean {
  if (pilot_minutes > 0 && devices.length > 0) {
    const pilot = devices.find((device) => device.pilot)
    // Where another one was begun, the pilot had run it: it may go after that, as where it is known that it had (a release of before did not write that).
    const isUntouched = () => devices.every(({ state, attempts }) => state === 'pending' && attempts === 0)
    if (pilot ? pilot.state === 'failure' && counts(pilot) : !goesWithout && isUntouched()) return true
  }
  return phases.some((_, phase) => {
    const own = devices.filter((device) => device.phase === phase)
    return own.filter(counts).length > (own.length * most_failed_percent) / 100
  })
}

/** The last phase that has begun. */
function openPhase({ phases }: RolloutPlan, devices: readonly DeviceNow[]): number {
  for (const phase of phases.keys()) {
    const own = devices.filter((device) => device.phase === phase)
    const isOver = own.every((device) => isDone(device) || (device.state === 'pending' && !device.online))
    // Where all failed, and all may, there is nobody left to wait for.
    const hasProof = own.every(isDone) || own.some(({ state, forgiven }) => state === 'success' || (state === 'failure' && forgiven))
    if (!isOver || !hasProof) return phase
  }
  return phases.length - 1
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const day = 1440 // minutes

/** What clocks show. `day`: of the week, 0 is Sunday. */
type Shown = { day: number; minute: number }

function shownAt(timeZone: string, at: number): Shown {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return { day: weekdays.indexOf(parts.weekday!), minute: Number(parts.hour) * 60 + Number(parts.minute) }
}

/**
 * Whether a time is within a maintenance window. One that goes over midnight belongs to the day on which it begins; from a time to the same one
 * is a whole day. One that clocks skip as a whole, as from 2:00 to 3:00 where they are put forward then, is as long and begins as they are.
 */
export function isWithin(window: Window, at: number): boolean {
  const shown = shownAt(window.timezone, at)
  return isShown(window, shown) || isSkipped(window, shown, at)
}

function isShown({ days, from_minute, to_minute }: Window, { day: today, minute }: Shown): boolean {
  if (from_minute < to_minute) return days.includes(today) && minute >= from_minute && minute < to_minute
  return minute >= from_minute ? days.includes(today) : minute < to_minute && days.includes((today + 6) % 7)
}

/** Whether it would be within it if clocks had not been put forward within the day before, by which they showed no minute of it. */
function isSkipped(window: Window, { day: today, minute }: Shown, at: number): boolean {
  const { from_minute, to_minute, timezone } = window
  const skipped = (minute - shownAt(timezone, at - day * 60_000).minute + day) % day
  // Half a day and more is the other direction.
  if (skipped === 0 || skipped > day / 2 || from_minute >= to_minute) return false
  const before = { day: minute < skipped ? (today + 6) % 7 : today, minute: (minute - skipped + day) % day }
  if (!isShown(window, before)) return false
  const began = at - (before.minute - from_minute) * 60_000
  const last = began + (to_minute - 1 - from_minute - skipped) * 60_000
  return shownAt(timezone, began).minute !== from_minute && shownAt(timezone, last).minute !== to_minute - 1
}

import type { PatternName } from './network-plan.ts'
import type { Random } from './random.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** How one sort of device behaves. All times are simulated milliseconds, since 1970 where they are moments. */
export type Pattern = {
  /** Bytes of an ordinary day, and which part of them the device sends. */
  daily_bytes: number
  up: number
  /** Until it first wants service, and again after a session it ended itself. Infinity: never. */
  rest(now: number, random: Random): number
  /** How long it means to stay. */
  stay(random: Random): number
  /** Until it moves on to the next network of its route. */
  roam(random: Random): number
  /** How busy it is at a moment, 1 being its average; `age` is how long it has been at it since it first came. */
  busyness(now: number, age: number): number
}

const hourOf = (now: number) => (now % day) / hour
/** A daily rhythm: 1 on average, `swing` more at `peak` o'clock UTC, and as much less twelve hours later. */
const rhythm = (now: number, peak: number, swing: number) => 1 + swing * Math.cos(((hourOf(now) - peak) / 12) * Math.PI)

const never = () => Infinity
const briefly = (_now: number, random: Random) => random.between(20, 90) * second
const burst = 6 * minute
const standbyBurst = 2 * minute

/** Until some moment between midnight and four of the coming night (UTC). */
const nextNight = (now: number, random: Random) => day - (now % day) + random.between(0, 4) * hour

export const patterns: Record<PatternName, Pattern> = {
  /** Reports its position all day and crosses borders. */
  tracker: {
    daily_bytes: 24e6,
    up: 0.55,
    rest: briefly,
    stay: (random) => random.between(12, 30) * hour,
    roam: (random) => random.between(4, 9) * hour,
    busyness: (now) => rhythm(now, 12, 0.8),
  },
  /** Sends its readings in one small burst a night. */
  meter: {
    daily_bytes: 0.6e6,
    up: 0.8,
    rest: nextNight,
    stay: (random) => random.between(0.7, 1.3) * burst,
    roam: never,
    busyness: () => day / burst,
  },
  /** Uploads pictures, more by day. */
  camera: {
    daily_bytes: 310e6,
    up: 0.92,
    rest: briefly,
    stay: (random) => random.between(1, 4) * day,
    roam: never,
    busyness: (now) => rhythm(now, 14, 0.7),
  },
  /** Downloads for the people behind it, most in the evening. */
  router: {
    daily_bytes: 260e6,
    up: 0.18,
    rest: briefly,
    stay: (random) => random.between(8, 48) * hour,
    roam: never,
    busyness: (now) => rhythm(now, 19, 0.9),
  },
  /** Broken: twice as much every twenty minutes, until its radio can do no more. */
  runaway: {
    daily_bytes: 3e6,
    up: 0.9,
    rest: briefly,
    stay: (random) => random.between(1, 4) * day,
    roam: never,
    busyness: (_now, age) => Math.min(2 ** (age / (20 * minute)), 20_000),
  },
  /** In a drawer. */
  silent: { daily_bytes: 0, up: 0, rest: never, stay: never, roam: never, busyness: () => 0 },
  /** Asleep, but for a sign of life about once a day. */
  standby: {
    daily_bytes: 20e3,
    up: 0.6,
    rest: (_now, random) => random.between(0.5, 1.5) * day,
    stay: (random) => random.between(0.7, 1.3) * standbyBurst,
    roam: never,
    busyness: () => day / standbyBurst,
  },
}

/** The bytes a device moves from `from` to `to`: whole, and never the same twice. */
export function trafficOf(pattern: Pattern, span: { from: number; to: number; age: number; daily_bytes: number }, random: Random) {
  const { from, to, age, daily_bytes } = span
  const busy = pattern.busyness((from + to) / 2, age)
  const bytes = (daily_bytes / day) * (to - from) * busy * random.between(0.6, 1.4)
  const up = Math.round(bytes * pattern.up * random.between(0.9, 1.1))
  return { up, down: Math.max(0, Math.round(bytes) - up) }
}

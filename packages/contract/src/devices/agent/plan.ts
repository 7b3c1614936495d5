import type { DesiredContainer } from './container.ts'

/** A container of ours as the engine has it. */
export type Held = {
  /** The engine's own id. */
  id: string
  name: string
  generation: number
  /** The newest `restart` that it has had: that with which it was made, or a later one. */
  restart: number
  state: 'created' | 'running' | 'paused' | 'restarting' | 'exited' | 'dead'
  exit_code: number
  /** Those of the device that it was made with, as `portKey` writes them: taken while it is on. */
  ports: readonly string[]
  /** Whether it has run, and healthily, for so long that the one before it is not needed any more. */
  is_up: boolean
  /** Why it counts as one that does not come up; null: nothing speaks against it. */
  fails: string | null
}

/** What ran before, kept until the one of a newer generation is up. `failed`: why that one did not come up; this one is to go on. */
export type Kept = { id: string; generation: number; failed: { words: string; at: string } | null }

/** What an agent sees when it looks: containers of ours, which images it has pulled for which generations, and what it keeps of before. */
export type Seen = {
  containers: readonly Held[]
  pulled: Readonly<Record<string, number>>
  kept: Readonly<Record<string, Kept>>
}

export type Step =
  | { do: 'stop' | 'remove' | 'start' | 'unpause'; name: string; id: string }
  | { do: 'restart'; name: string; id: string; restart: number }
  | { do: 'pull' | 'create' | 'start_new'; name: string; wanted: DesiredContainer }
  /** Stops what runs and notes that it is kept for the case that this generation does not come up. */
  | { do: 'set_aside'; name: string; id: string; generation: number }
  /** Notes that this generation (`id`) did not come up, and why, and that the kept one goes on. */
  | { do: 'give_up'; name: string; id: string; kept: string; generation: number; words: string }

/** `30100/tcp` */
export const portKey = (host: number | string, protocol: string): string => `${host}/${protocol}`

const isOn = ({ state }: Held) => state === 'running' || state === 'restarting' || state === 'paused'

/** It ended as it was meant to, and its policy does not start it again. */
export const hasFinished = ({ state, exit_code }: Pick<Held, 'state' | 'exit_code'>, { restart_policy }: DesiredContainer): boolean =>
  state === 'exited' && (restart_policy === 'no' || (restart_policy === 'on_failure' && exit_code === 0))

/**
 * The steps from what is there to what is wanted, of all containers, in an order in which ports are free before others take them. What runs goes
 * on until the container that replaces it is made, and is kept until that one is up: where it does not come up, the one before runs again and the
 * new one is not tried until another generation or another restart is wanted. Each step leaves something from which the same function goes on, so
 * an agent that dies in between looks again and asks again; a container whose step failed has its later steps left out, and those of the others
 * are done. What takes a port of one that goes on until its image has come waits with it.
 */
export function plan(seen: Seen, desired: readonly DesiredContainer[]): Step[] {
  const steps: Steps = { ends: [], pulls: [], gone: [], made: [], replaced: [], begins: [] }
  const wantedNames = new Set(desired.map(({ name }) => name))
  for (const held of seen.containers) if (!wantedNames.has(held.name)) steps.ends.push(...away(held))
  for (const wanted of desired) planOne(steps, seen, wanted)
  const { ends, pulls, gone, made, replaced, begins } = steps
  const waits = waitingForPorts(seen, desired)
  return [...ends, ...pulls, ...[...gone, ...made, ...replaced, ...begins].filter(({ name }) => !waits.has(name))]
}

const rightOf = ({ containers }: Seen, { name, generation }: DesiredContainer) =>
  containers.find((held) => held.name === name && held.generation === generation && held.state !== 'dead')

/** Those not made yet that take a port of one which goes on until its image has come, or which waits so itself. */
function waitingForPorts(seen: Seen, desired: readonly DesiredContainer[]): ReadonlySet<string> {
  const isBack = ({ name, generation }: DesiredContainer) => {
    const noted = seen.kept[name]
    return noted?.generation === generation && noted.failed !== null
  }
  const comes = desired.filter((wanted) => wanted.run === 'running' && !rightOf(seen, wanted) && !isBack(wanted))
  const late = new Set(comes.filter(({ name, generation }) => seen.pulled[name] !== generation).map(({ name }) => name))
  const waits = new Set<string>()
  let before: number
  do {
    before = waits.size
    const taken = seen.containers.filter((held) => isOn(held) && (late.has(held.name) || waits.has(held.name)))
    for (const { name, ports } of comes) {
      const own = new Set(ports.map(({ host, protocol }) => portKey(host, protocol)))
      if (taken.some((held) => held.name !== name && held.ports.some((port) => own.has(port)))) waits.add(name)
    }
  } while (waits.size > before)
  return waits
}

type Steps = Record<'ends' | 'pulls' | 'gone' | 'made' | 'replaced' | 'begins', Step[]>

function planOne({ ends, pulls, gone, made, replaced, begins }: Steps, seen: Seen, wanted: DesiredContainer): void {
  const { name, generation } = wanted
  const all = seen.containers.filter((held) => held.name === name)
  const right = rightOf(seen, wanted)
  const noted = seen.kept[name]
  const before = keptOf(all, right, wanted, noted)
  for (const held of all) {
    if (held === right || held === before) continue
    if (!isOn(held)) gone.push(removal(held))
    // Its image may take long to come, and somebody said that it is to stop.
    else if (wanted.run === 'stopped' && !right) {
      ends.push({ do: 'stop', name, id: held.id })
      replaced.push(removal(held))
    } else replaced.push(...away(held))
  }
  if (before && noted?.id === before.id && noted.generation === generation && noted.failed) {
    if (right) replaced.push(...away(right))
    begins.push(...steerKept(before, wanted))
    return
  }
  if (!right) {
    if (seen.pulled[name] !== generation) pulls.push({ do: 'pull', name, wanted })
    made.push({ do: 'create', name, wanted })
    if (wanted.run === 'running') begins.push({ do: 'start_new', name, wanted })
  } else if (before && right.fails !== null && !hasFinishedWell(right, wanted)) {
    replaced.push({ do: 'give_up', name, id: right.id, kept: before.id, generation, words: right.fails }, ...away(right))
    begins.push(...steerKept(before, wanted))
    return
  } else begins.push(...steer(right, wanted))
  if (!before) return
  if (right && (right.is_up || hasFinishedWell(right, wanted))) replaced.push(...away(before))
  else if (isOn(before) || noted?.id !== before.id || noted.generation !== generation)
    replaced.push({ do: 'set_aside', name, id: before.id, generation })
}

/** What is to run again if the wanted one does not come up: what is kept already, else what runs and is about to be replaced. */
function keptOf(all: readonly Held[], right: Held | undefined, wanted: DesiredContainer, noted: Kept | undefined): Held | undefined {
  const others = all.filter((held) => held !== right && held.state !== 'dead')
  const kept = others.find(({ id }) => id === noted?.id)
  if (wanted.run === 'stopped') return noted?.failed && noted.generation === wanted.generation ? kept : undefined
  if (kept) return kept
  const isTried = right !== undefined && right.state !== 'created'
  return isTried ? undefined : others.find(({ state }) => state === 'running' || state === 'paused')
}

const hasFinishedWell = (held: Held, wanted: DesiredContainer) => held.exit_code === 0 && hasFinished(held, wanted)
const removal = ({ name, id }: Held): Step => ({ do: 'remove', name, id })
const away = (held: Held): Step[] => [...(isOn(held) ? [{ do: 'stop' as const, name: held.name, id: held.id }] : []), removal(held)]

/** Of the one of before, which goes on: another restart would be a wish to try the new one again. */
const steerKept = (held: Held, wanted: DesiredContainer) =>
  steer({ ...held, restart: wanted.restart }, { ...wanted, restart_policy: 'always' })

/** Of a container that is made as wanted: whether it runs. */
function steer(held: Held, wanted: DesiredContainer): Step[] {
  const { name, id } = held
  if (wanted.run === 'stopped') return isOn(held) ? [{ do: 'stop', name, id }] : []
  if (held.restart !== wanted.restart) return [{ do: 'restart', name, id, restart: wanted.restart }]
  if (held.state === 'paused') return [{ do: 'unpause', name, id }]
  if (held.state === 'created') return [{ do: 'start', name, id }]
  return held.state === 'exited' && !hasFinished(held, wanted) ? [{ do: 'start', name, id }] : []
}

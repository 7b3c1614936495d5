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
}

/** What an agent sees when it looks: containers of ours, and which images it has pulled for which generations. */
export type Seen = { containers: readonly Held[]; pulled: Readonly<Record<string, number>> }

export type Step =
  | { do: 'stop' | 'remove' | 'start' | 'unpause'; name: string; id: string }
  | { do: 'restart'; name: string; id: string; restart: number }
  | { do: 'pull' | 'create' | 'start_new'; name: string; wanted: DesiredContainer }

const isOn = ({ state }: Held) => state === 'running' || state === 'restarting' || state === 'paused'

/** It ended as it was meant to, and its policy does not start it again. */
export const hasFinished = ({ state, exit_code }: Pick<Held, 'state' | 'exit_code'>, { restart_policy }: DesiredContainer): boolean =>
  state === 'exited' && (restart_policy === 'no' || (restart_policy === 'on_failure' && exit_code === 0))

/**
 * The steps from what is there to what is wanted, of all containers, in an order in which ports are free before others take them. What runs goes
 * on until the image that replaces it is there. Each step leaves something from which the same function goes on, so an agent that dies in
 * between looks again and asks again; a container whose step failed has its later steps left out, and those of the others are done.
 */
export function plan(seen: Seen, desired: readonly DesiredContainer[]): Step[] {
  const ends: Step[] = []
  const pulls: Step[] = []
  const replaced: Step[] = []
  const begins: Step[] = []
  const wantedNames = new Set(desired.map(({ name }) => name))
  for (const held of seen.containers) if (!wantedNames.has(held.name)) ends.push(...away(held))
  for (const wanted of desired) {
    const { name } = wanted
    const all = seen.containers.filter((held) => held.name === name)
    const right = all.find((held) => held.generation === wanted.generation && held.state !== 'dead')
    if (right) begins.push(...steer(right, wanted))
    else {
      if (seen.pulled[name] !== wanted.generation) pulls.push({ do: 'pull', name, wanted })
      begins.push({ do: 'create', name, wanted })
      if (wanted.run === 'running') begins.push({ do: 'start_new', name, wanted })
      else for (const held of all) if (isOn(held)) ends.push({ do: 'stop', name, id: held.id })
    }
    for (const held of all) {
      if (held === right) continue
      const stopsFirst = wanted.run === 'stopped' && !right
      replaced.push(...(stopsFirst ? [removal(held)] : away(held)))
    }
  }
  return [...ends, ...pulls, ...replaced, ...begins]
}

const removal = ({ name, id }: Held): Step => ({ do: 'remove', name, id })
const away = (held: Held): Step[] => [...(isOn(held) ? [{ do: 'stop' as const, name: held.name, id: held.id }] : []), removal(held)]

/** Of a container that is made as wanted: whether it runs. */
function steer(held: Held, wanted: DesiredContainer): Step[] {
  const { name, id } = held
  if (wanted.run === 'stopped') return isOn(held) ? [{ do: 'stop', name, id }] : []
  if (held.restart !== wanted.restart) return [{ do: 'restart', name, id, restart: wanted.restart }]
  if (held.state === 'paused') return [{ do: 'unpause', name, id }]
  if (held.state === 'created') return [{ do: 'start', name, id }]
  return held.state === 'exited' && !hasFinished(held, wanted) ? [{ do: 'start', name, id }] : []
}

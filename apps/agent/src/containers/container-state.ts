import { longestImage, notThere, type DesiredContainer, type ReportedContainer } from '@masthead/contract/devices/agent/container'
import { portKey, type Held } from '@masthead/contract/devices/agent/plan'
import { labels } from '../engine/creation.ts'
import type { Inspected } from '../engine/engine.ts'
import type { Notes } from '../notes.ts'
import { verdictOf } from './trial.ts'

const states: Record<string, Held['state']> = {
  created: 'created',
  configured: 'created',
  initialized: 'created',
  running: 'running',
  stopping: 'running',
  restarting: 'restarting',
  paused: 'paused',
  exited: 'exited',
  stopped: 'exited',
  dead: 'dead',
  removing: 'dead',
}

export const nameOf = ({ Config }: Inspected): string => Config.Labels?.[labels.name] ?? ''
const numberOf = ({ Config }: Inspected, label: string) => Number(Config.Labels?.[label]) || 0

/** That of a name which is reported: what runs, else the newest. There are two while one takes the place of the other. */
export const shownOf = (all: readonly Inspected[], name: string): Inspected | undefined => {
  const own = all.filter((each) => nameOf(each) === name)
  const newest = own.toSorted((a, b) => numberOf(b, labels.generation) - numberOf(a, labels.generation))[0]
  return own.find(({ State }) => State.Status === 'running') ?? newest
}

/** What the planner needs to know of a container, which was seen to run for `ranFor` ms. */
export function heldOf(one: Inspected, { restarted, desired }: Pick<Notes, 'restarted' | 'desired'>, ranFor: number): Held {
  const { Id, State } = one
  const name = nameOf(one)
  const wanted: Pick<DesiredContainer, 'health' | 'restart_policy'> | undefined = desired?.containers.find((each) => each.name === name)
  return {
    id: Id,
    name,
    generation: numberOf(one, labels.generation),
    restart: Math.max(numberOf(one, labels.restart), restarted[name] ?? 0),
    state: stateOf(one),
    exit_code: State.ExitCode,
    ports: portsOf(one),
    ...verdictOf(one, wanted ?? { health: null, restart_policy: 'always' }, ranFor),
  }
}

const portsOf = ({ HostConfig }: Inspected): string[] =>
  Object.entries(HostConfig?.PortBindings ?? {}).flatMap(([inside, all]) =>
    (all ?? []).map(({ HostPort = '' }) => portKey(HostPort, inside.split('/')[1] ?? 'tcp'))
  )

const stateOf = ({ State }: Inspected): Held['state'] => states[State.Status] ?? 'dead'

export type Measured = { cpu_pct: number | null; memory_bytes: number | null }

/** The words of a container as it is reported. */
export function reportOf(
  there: Inspected | undefined,
  more: {
    name: string
    digest: string | null
    problem: ReportedContainer['problem']
    downloads: boolean
    percent: number | null
  } & Measured
): ReportedContainer {
  const { name, digest, problem, downloads, percent, ...measured } = more
  if (!there) return { ...notThere, name, state: downloads ? 'downloading' : 'waiting', percent, problem }
  const { State, Config, RestartCount } = there
  const held = stateOf(there)
  const isOn = held === 'running' || held === 'paused'
  const state = held === 'dead' ? 'removing' : held
  const started = new Date(State.StartedAt.replace(/(\.\d{3})\d+/, '$1'))
  return {
    name,
    generation: numberOf(there, labels.generation),
    // While the next image comes the one before goes on, and that is what shows.
    state: downloads && !isOn ? 'downloading' : state,
    image: Config.Image.slice(0, longestImage),
    digest,
    health: healthOf(State.Health?.Status),
    started_at: started.getTime() > 0 ? started.toISOString() : null,
    exit_code: held === 'exited' ? State.ExitCode : null,
    restarts: RestartCount ?? 0,
    cpu_pct: isOn ? measured.cpu_pct : null,
    memory_bytes: isOn ? measured.memory_bytes : null,
    percent,
    problem,
  }
}

const healthOf = (status: string | undefined): ReportedContainer['health'] =>
  status === 'healthy' || status === 'unhealthy' || status === 'starting' ? status : null

import type { ReportedContainer } from '@masthead/contract/devices/agent/container'
import type { Held } from '@masthead/contract/devices/agent/plan'
import { labels } from '../engine/creation.ts'
import type { Inspected } from '../engine/engine.ts'
import type { Notes } from '../notes.ts'

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

/** What the planner needs to know of a container. */
export function heldOf({ Id, State, Config }: Inspected, { restarted }: Pick<Notes, 'restarted'>): Held {
  const name = Config.Labels?.[labels.name] ?? ''
  const number = (label: string) => Number(Config.Labels?.[label]) || 0
  return {
    id: Id,
    name,
    generation: number(labels.generation),
    restart: Math.max(number(labels.restart), restarted[name] ?? 0),
    state: states[State.Status] ?? 'dead',
    exit_code: State.ExitCode,
  }
}

export type Measured = { cpu_pct: number | null; memory_bytes: number | null }

/** The words of a container as it is reported. */
export function reportOf(
  there: Inspected | undefined,
  more: { name: string; digest: string | null; problem: ReportedContainer['problem']; downloads: boolean } & Measured
): ReportedContainer {
  const { name, digest, problem, downloads, ...measured } = more
  if (!there)
    return {
      name,
      generation: null,
      state: downloads ? 'downloading' : 'waiting',
      image: null,
      digest: null,
      health: null,
      started_at: null,
      exit_code: null,
      restarts: 0,
      cpu_pct: null,
      memory_bytes: null,
      problem,
    }
  const { State, Config, RestartCount } = there
  const held = heldOf(there, { restarted: {} })
  const isOn = held.state === 'running' || held.state === 'paused'
  const state = held.state === 'dead' ? 'removing' : held.state
  const started = new Date(State.StartedAt.replace(/(\.\d{3})\d+/, '$1'))
  return {
    name,
    generation: held.generation,
    // While the next image comes the one before goes on, and that is what shows.
    state: downloads && !isOn ? 'downloading' : state,
    image: Config.Image.slice(0, 300),
    digest,
    health: healthOf(State.Health?.Status),
    started_at: started.getTime() > 0 ? started.toISOString() : null,
    exit_code: held.state === 'exited' ? State.ExitCode : null,
    restarts: RestartCount ?? 0,
    cpu_pct: isOn ? measured.cpu_pct : null,
    memory_bytes: isOn ? measured.memory_bytes : null,
    problem,
  }
}

const healthOf = (status: string | undefined): ReportedContainer['health'] =>
  status === 'healthy' || status === 'unhealthy' || status === 'starting' ? status : null

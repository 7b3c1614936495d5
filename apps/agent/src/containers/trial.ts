import type { DesiredContainer } from '@masthead/contract/devices/agent/container'
import type { Held } from '@masthead/contract/devices/agent/plan'
import type { Inspected } from '../engine/engine.ts'

/** So many restarts by the engine itself, and the container counts as one that crashes. */
export const manyRestarts = 3
/** A container without a test of its health is up when it has run for so long. */
const steadyFor = 20_000 // ms
/** And one whose test has said nothing for so long after it should have. */
const silentFor = 30_000 // ms

/** How a container does that takes the place of another: whether it is up, and why it counts as one that does not come up. It was seen to run for `ranFor` ms. */
export function verdictOf(
  { State, RestartCount = 0 }: Pick<Inspected, 'State' | 'RestartCount'>,
  { health, restart_policy }: Pick<DesiredContainer, 'health' | 'restart_policy'>,
  ranFor: number
): Pick<Held, 'is_up' | 'fails'> {
  const fails = (words: string) => ({ is_up: false, fails: words })
  const said = State.Health?.Status
  if (said === 'unhealthy') return fails('Its health test fails')
  if (RestartCount >= manyRestarts) return fails(`${endOf(State)}; ${RestartCount} restarts`)
  if (State.Status === 'exited' || State.Status === 'stopped')
    return State.ExitCode === 0 && restart_policy !== 'always' ? { is_up: true, fails: null } : fails(endOf(State))
  if (State.Status !== 'running') return { is_up: false, fails: null }
  if (said === 'healthy') return { is_up: true, fails: null }
  const needed = health ? (health.start_s + health.every_s * (health.retries + 1)) * 1000 + silentFor : steadyFor
  return { is_up: ranFor >= needed, fails: null }
}

const endOf = ({ ExitCode, OOMKilled }: Inspected['State']) => `It ended with exit code ${ExitCode}${OOMKilled ? ', out of memory' : ''}`

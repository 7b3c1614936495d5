import type { Phase, Rollout, RolloutAsset, RolloutPreview, RolloutState, TryStep } from '@masthead/contract/alpon-fleets/rollout'
import type { FleetAsset } from '@masthead/contract/alpon-fleets/fleet'
import type { Status } from '../ui/status.ts'

export const rolloutLooks: Record<RolloutState, { status: Status; label: string }> = {
  running: { status: 'busy', label: 'Running' },
  paused: { status: 'standby', label: 'Paused' },
  halted: { status: 'warning', label: 'Halted' },
  finished: { status: 'done', label: 'Finished' },
  aborted: { status: 'none', label: 'Aborted' },
}

const deviceLooks: Record<RolloutAsset['state'], { status: Status; label: string }> = {
  pending: { status: 'pending', label: 'Waiting' },
  started: { status: 'busy', label: 'Started' },
  success: { status: 'done', label: 'Done' },
  failure: { status: 'failed', label: 'Failed' },
}
const stepLabels: Record<TryStep, string> = { asked: 'Asked', downloading: 'Downloading', installing: 'Installing', watched: 'Watched' }
/** Of one that was aborted, which follows nothing any more. */
const leftLooks: Partial<typeof deviceLooks> = {
  pending: { status: 'none', label: 'Not begun' },
  started: { status: 'none', label: 'Aborted' },
}
export function deviceLook(
  { state, online, step }: Pick<RolloutAsset, 'state' | 'online' | 'step'>,
  isAborted = false
): { status: Status; label: string } {
  const left = isAborted ? leftLooks[state] : undefined
  if (left) return left
  if (state === 'pending' && !online) return { status: 'offline', label: 'Offline' }
  if (state === 'started' && !online) return { status: 'offline', label: 'Offline in its try' }
  if (step === null) return deviceLooks[state]
  return { ...deviceLooks[state], label: `${stepLabels[step.name]}${step.percent === null ? '' : ` ${step.percent} %`}` }
}

const awaited: Record<RolloutAsset['state'], (version: number) => string> = {
  pending: (version) => `Waits for version ${version}`,
  started: (version) => `Version ${version} is on its way`,
  success: (version) => `Version ${version}`,
  failure: (version) => `Version ${version} failed`,
}

/** Which version an asset of a fleet has, and how far the newest rollout is with it; `about`: what else there is to say. Null: nothing was rolled out to it. */
export function versionLook({
  version,
  rollout,
  differences,
}: Pick<FleetAsset, 'version' | 'rollout' | 'differences'>): { status: Status | null; label: string; about: string[] } | null {
  const ahead =
    rollout && rollout.state !== 'success'
      ? { status: deviceLooks[rollout.state].status, label: awaited[rollout.state](rollout.version) }
      : null
  if (version !== null && differences.length > 0)
    return {
      status: 'warning',
      label: `Not as version ${version}`,
      about: [...differences, ...(ahead ? [`${ahead.label}${rollout!.error === null ? '' : `: ${rollout!.error}`}.`] : [])],
    }
  if (!ahead) return version === null ? null : { status: null, label: `Version ${version}`, about: [] }
  const why = rollout!.error === null ? [] : [rollout!.error]
  return { ...ahead, about: [...why, ...(version === null || version === rollout!.version ? [] : [`It has version ${version}`])] }
}

type Counts = Rollout['phases'][number]
const sizeOf = ({ pending, started, success, failure }: Counts) => pending + started + success + failure

/** All phases together. */
export function totalOf({ phases }: Pick<Rollout, 'phases'>) {
  const sum = (name: keyof Counts) => phases.reduce((all, phase) => all + phase[name], 0)
  return {
    devices: phases.reduce((all, phase) => all + sizeOf(phase), 0),
    success: sum('success'),
    failure: sum('failure'),
    offline: sum('offline'),
  }
}

/** "3 of 10 done, 1 failed". */
export const doneWords = ({ devices, success, failure }: { devices: number; success: number; failure: number }): string =>
  `${success.toLocaleString('en')} of ${devices.toLocaleString('en')} done${failure > 0 ? `, ${failure.toLocaleString('en')} failed` : ''}`

/** What there is to say of a phase: "3 of 10 done, 1 failed, 2 offline". */
export function phaseWords(phase: Counts): string {
  const size = sizeOf(phase)
  if (size === 0) return 'no devices'
  const parts = [`${phase.success.toLocaleString('en')} of ${size.toLocaleString('en')} done`]
  if (phase.started > 0) parts.push(`${phase.started.toLocaleString('en')} started`)
  if (phase.failure > 0) parts.push(`${phase.failure.toLocaleString('en')} failed`)
  if (phase.offline > 0) parts.push(`${phase.offline.toLocaleString('en')} offline`)
  return parts.join(', ')
}

type PhaseState = 'done' | 'current' | 'todo' | 'failed' | 'unreached' | 'stopped'

/** Where a rollout stands at each of its phases. */
export function phaseStates({ phases, state }: Pick<Rollout, 'phases' | 'state'>): PhaseState[] {
  const current = phases.findIndex((phase) => phase.started > 0 || phase.pending - phase.offline > 0)
  const stopped = state === 'halted' || state === 'aborted'
  return phases.map((phase, place) => {
    // Whoever joins later, or is brought it again, changes nothing of what was done.
    if (state === 'finished') return 'done'
    if (stopped && phase.failure > 0) return 'failed'
    if (sizeOf(phase) > 0 && phase.success + phase.failure === sizeOf(phase)) return 'done'
    // Of one that was aborted nothing is on its way any more.
    if (state === 'aborted') return phase.success + phase.started > 0 ? 'stopped' : 'unreached'
    return place === current || (phase.success > 0 && phase.started + phase.pending > 0) ? 'current' : 'todo'
  })
}

/**
 * Why nothing begins, where each device of a phase is offline, so that none shows that the version runs, and devices of later phases could begin. Null:
 * it is not so. By the devices of all phases: who sees some of them cannot know.
 */
export function waitingWords({ phases, state }: Pick<Rollout, 'phases' | 'state'>): string | null {
  const place = phases.findIndex((phase) => phase.offline > 0 && phase.offline === sizeOf(phase))
  const couldBegin = ({ pending, offline }: Counts) => pending > offline
  const isAtWork = phases.some(({ started }) => started > 0) || phases.slice(0, place).some(couldBegin)
  if (state !== 'running' || place === -1 || isAtWork || !phases.slice(place + 1).some(couldBegin)) return null
  const { offline } = phases[place]!
  const [who, one] = offline === 1 ? ['the only device', 'it'] : [`all ${devicesWords(offline)}`, 'one of them']
  return `Nothing begins, because ${who} of phase ${place + 1} ${offline === 1 ? 'is' : 'are'} offline. The next phase waits until ${one} has the version and runs it.`
}

/** "2 of 3": the phase at which a rollout is; null: it is over, or has begun with none. */
export function phaseNow(rollout: Pick<Rollout, 'phases' | 'state'>): string | null {
  const at = phaseStates(rollout).findLastIndex((state) => state === 'current' || state === 'failed' || state === 'stopped')
  return at === -1 ? null : `${at + 1} of ${rollout.phases.length}`
}

/** "10 %", or "5 devices". */
export const phaseName = (phase: Phase): string => (typeof phase === 'number' ? `${phase} %` : devicesWords(phase.devices))

/** The phases of "5 devices, 10 %, 100": a number without a unit is per cent; what is neither has no number. */
export const readPhases = (text: string): Phase[] =>
  text
    .split(/[,;]+/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .map((word) => {
      const [, figures = '', unit = ''] = /^(\d+)\s*(%|devices?)?$/i.exec(word) ?? []
      const count = figures === '' ? Number.NaN : Number(figures)
      return /^d/i.test(unit) ? { devices: count } : count
    })

export const devicesWords = (count: number) => (count === 1 ? '1 device' : `${count.toLocaleString('en')} devices`)

/** "It reaches 12 devices. 2 are offline and get it when they are back; 1 has no agent and gets nothing." */
export function reachWords({ devices, offline, without_agent, already }: RolloutPreview): string {
  if (devices === 0) return 'The fleet has no assets yet. Those that join it later get the version.'
  const one = (count: number, single: string, many: string) => `${count.toLocaleString('en')} ${count === 1 ? single : many}`
  const but = [
    ...(offline > 0 ? [one(offline, 'is offline and gets it when it is back', 'are offline and get it when they are back')] : []),
    ...(without_agent > 0
      ? [one(without_agent, 'has no agent and waits until it has one', 'have no agent and wait until they have one')]
      : []),
    ...(already > 0 ? [one(already, 'is set to run it already', 'are set to run it already')] : []),
  ]
  return `It goes to ${devicesWords(devices)}.${but.length > 0 ? ` ${but.join('; ')}.` : ''}`
}

/**
 * What changed between two versions, without the digests behind tags, as they leave no room for the rest: "relay: image acme/relay:1 to
 * acme/relay:2". An image without a tag keeps the beginning of its digest, and of a tag that means another image now, that is said.
 */
export const changeWords = (change: string): string =>
  change
    .replaceAll(/(\S+)@sha(?:256|512):([0-9a-f]{12})[0-9a-f]*/g, (_, name: string, short: string) =>
      /:[^/]+$/.test(name) ? name : `${name}@${short}`
    )
    .replace(/: image (\S+) to \1$/, ': image $1 with another digest')

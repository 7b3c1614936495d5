import type { RolloutAsset, TryStep } from '@masthead/contract/alpon-fleets/rollout'
import { isUnpacking, withoutLastLines } from '@masthead/contract/devices/agent/container'
import { containerStatus, type Application, type Container } from '@masthead/contract/devices/agent/application'
import { isNetworkWanted, type NetworkContent, type NetworkNow } from '../../devices/network/index.ts'

/** A container that runs for less may still be one that crashes. */
const steadyFor = 20_000 // ms

/** The try that runs on a device. `heard_at`: when the device was seen last, by our clock. */
export type Try = { revision: number; started_at: Date; heard_at: Date | null }
/** `words`: why it failed. */
export type Outcome = { outcome: 'success' | 'failure'; words?: string }

/** How a try ended until now, by what the device reported of what is wanted; null: it goes on. */
export function outcomeOf(application: Application | undefined, asked: Try, now: Date): Outcome | null {
  const device = application?.device
  if (!device || device.reported_revision < asked.revision || device.reported_at === null) return null
  const said = Date.parse(device.reported_at)
  const trouble = application.items.find((each) => containerStatus(each) === 'trouble')
  if (trouble) {
    if (trouble.reported?.problem?.code === 'engine_away' || isOfBefore(trouble, said, asked)) return null
    // Whoever sees fleets reads it, also without the right to read logs.
    return { outcome: 'failure', words: `${trouble.name}: ${withoutLastLines(trouble.reported?.problem?.words ?? 'it is unhealthy')}` }
  }
  const other = application.items.find(runsAnother)
  if (other && isOfBefore(other, said, asked)) return null
  const words = `${other?.name}: it runs the image ${other?.reported?.digest}, and not the one that was rolled out`
  if (other) return { outcome: 'failure', words }
  // By our clock as well: one of the device that was set since makes any container old.
  if (application.leaving.length > 0 || now.getTime() - asked.started_at.getTime() < steadyFor) return null
  const isSteady = application.items.every((each) => {
    if (containerStatus(each) === 'finished') return true
    const { started_at = null } = each.reported ?? {}
    return isRight(each) && started_at !== null && said - Date.parse(started_at) >= steadyFor
  })
  return isSteady ? { outcome: 'success' } : null
}

/** What it runs as it is to, as a text that is another once one of its containers was started again; null: one does not run so. */
export function steadyOf({ items }: Application): string | null {
  return items.every(runsAsWanted)
    ? JSON.stringify(items.map(({ name, reported }) => [name, reported?.generation, reported?.started_at, reported?.restarts]))
    : null
}

/** Whether it is to be started anew for a try: it does not do what is wanted of it. */
export const isInTrouble = (container: Container): boolean => !runsAsWanted(container)

/** Whether it runs, or has run to its end, from the image that is wanted. */
export const runsAsWanted = (container: Container): boolean =>
  (isRight(container) || containerStatus(container) === 'finished') && !runsAnother(container)

const isRight = (container: Container) => containerStatus(container) === 'right' && container.reported?.health !== 'starting'

/** Whether the device says that the container as it is wanted runs another image than the digest that is wanted names; one that says no digest is believed. */
function runsAnother({ image, generation, reported }: Container): boolean {
  const wanted = image.split('@')[1]
  return wanted !== undefined && reported !== null && reported.generation === generation && (reported.digest ?? wanted) !== wanted
}

/**
 * Whether what is wrong was so before the try: a device says at once which revision it works at, and only later what became of it, and the
 * container before goes on (and on crashing) until the image of the next one is there. Measured as times that passed, as the device's clock may be wrong.
 */
function isOfBefore({ generation, reported }: Container, said: number, { started_at, heard_at }: Try): boolean {
  if (reported?.problem?.code === 'crash_loop_backoff' && reported.generation !== null && reported.generation !== generation) return true
  const since = reported?.problem?.since ?? reported?.started_at
  return since !== undefined && since !== null && heard_at !== null && said - Date.parse(since) > heard_at.getTime() - started_at.getTime()
}

/** How a try ended by the network of its device, where the version says something of it; null: it goes on. What it keeps is another where somebody changed it meanwhile. */
export function networkOutcome(now: NetworkNow | undefined, content: NetworkContent): Outcome | null {
  if (!now || !isNetworkWanted(content, now)) return { outcome: 'failure', words: 'Network: it was changed by hand in the try' }
  if (now.state === 'on_its_way') return null
  return now.state === 'kept' ? { outcome: 'success' } : { outcome: 'failure', words: `Network: ${now.words ?? 'the change was undone'}` }
}

/** The one that failed, or the one that goes on, before one that succeeded. */
export const worse = (one: Outcome | null, other: Outcome | null): Outcome | null =>
  [one, other].find((each) => each?.outcome === 'failure') ?? (one && other)

/** What a device does in a try that goes on. */
export function stepOf(application: Application | undefined, revision: number): NonNullable<RolloutAsset['step']> {
  const at = (name: TryStep, percent: number | null = null) => ({ name, percent })
  if (!application || (application.device?.reported_revision ?? 0) < revision) return at('asked')
  const said = application.items.flatMap(({ reported }) => reported ?? [])
  const loading = said.filter((each) => each.state === 'downloading' && !isUnpacking(each))
  const percents = loading.flatMap(({ percent }) => percent ?? [])
  if (loading.length > 0) return at('downloading', percents.length > 0 ? Math.min(...percents) : null)
  return at(application.items.every(runsAsWanted) ? 'watched' : 'installing')
}

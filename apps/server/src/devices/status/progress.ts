import { containerStatus, type Application } from '@masthead/contract/devices/agent/application'
import { isUnpacking, withoutLastLines, type ContainerProblem } from '@masthead/contract/devices/agent/container'
import { networkState, type Network } from '@masthead/contract/devices/network/view'
import type { ContainerProgress, EsimProgressEvent, ProgressError } from '@masthead/contract/devices/progress'

const errors: Record<ContainerProblem, ProgressError> = {
  image_pull_backoff: 'ImagePullBackOff',
  crash_loop_backoff: 'CrashLoopBackOff',
  port_in_use: 'ErrorPortInUse',
  name_in_use: 'ErrorNameExists',
  engine_away: 'Unknown',
  failed: 'Unknown',
  rolled_back: 'CrashLoopBackOff',
}

const awayWords = 'The device is offline. It goes on when it is back'

/** How far a device is with a container, by its own words alone: what it said of an earlier wish says nothing of this one. */
export function containerProgress({ device, items }: Application, name: string): ContainerProgress {
  const item = items.find((each) => each.name === name)
  if (!item) return { status: 'Fail', error: 'AppNotFound', message: `There is no container ${name}` }
  if (!device || device.reported_revision !== device.revision)
    return { status: 'Waiting', message: device?.online ? 'The device was notified' : awayWords }
  const { reported } = item
  if (reported?.problem) {
    const { code, words } = reported.problem
    return { status: 'Fail', error: errors[code], message: withoutLastLines(words) }
  }
  if (device.engine_words) return { status: 'Fail', error: 'Unknown', message: device.engine_words }
  const how = containerStatus(item)
  if (how === 'trouble') return { status: 'Fail', error: 'Unknown', message: 'Its health test fails' }
  // Whether it stays up is not known before its test has said so.
  if (how === 'right' || how === 'finished') return { status: reported?.health === 'starting' ? 'Running' : 'Success' }
  if (reported && isUnpacking(reported)) return { status: 'Unpacking' }
  if (reported?.percent != null) return { status: 'Downloading', percentage: reported.percent }
  return { status: reported?.state === 'downloading' ? 'Downloading' : 'Waiting' }
}

/** The same of what is to be done with the profiles of its eSIM, and of the one that is to be in use. */
export function esimProgress({ device, wanted, reported }: Network): EsimProgressEvent {
  const profiles = (reported?.esim?.profiles ?? []).map(({ aid, iccid, provider, enabled }) => ({
    aid,
    iccid,
    provider_name: provider,
    state: enabled ? ('enabled' as const) : ('disabled' as const),
  }))
  const said = reported?.esim?.job
  const job = wanted?.esim_job
  if (job && said?.generation !== job.generation)
    return { status: 'Waiting', message: device?.online ? 'The device was notified' : awayWords, profiles }
  if (said?.state === 'running') return { status: 'Running', ...(said.step && { step: said.step }), progress: said.percent, profiles }
  if (said?.state === 'failed') return { status: 'Fail', error: 'Unknown', message: said.words ?? 'The device did not say why', profiles }
  if (wanted?.profile == null) return { status: 'Success', progress: 100, profiles }
  const state = networkState({ wanted, reported })
  if (state === 'pending' || state === 'sent')
    return { status: 'Waiting', message: device?.online ? 'The device was notified' : awayWords, profiles }
  if (state === 'applying' || state === 'trial') return { status: 'Running', step: 'ENABLE_PROFILE', profiles }
  // A list that could not be read says nothing.
  if (reported?.esim?.words === null && !profiles.some(({ iccid }) => iccid === wanted.profile)) {
    const message = reported.change?.words ?? `The eSIM has no profile ${wanted.profile}`
    return { status: 'Fail', error: 'ErrorNoProfile', message, profiles }
  }
  if (state === 'undone' || state === 'failed')
    return { status: 'Fail', error: 'Unknown', message: reported?.change?.words ?? 'The device did not say why', profiles }
  return { status: 'Success', progress: 100, profiles }
}

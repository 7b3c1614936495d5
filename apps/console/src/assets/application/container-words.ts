import { containerStatus, type Container } from '@masthead/contract/devices/agent/application'
import { isUnpacking, type ContainerProblem, type ReportedContainer } from '@masthead/contract/devices/agent/container'
import type { Status } from '../../ui/status.ts'

type Problem = Pick<NonNullable<ReportedContainer['problem']>, 'code' | 'words'>

const problems: Record<ContainerProblem, string> = {
  image_pull_backoff: 'Image cannot be pulled',
  crash_loop_backoff: 'Crashes after start',
  port_in_use: 'Port is in use',
  name_in_use: 'Name is in use',
  engine_away: 'Engine does not answer',
  failed: 'Failed',
  rolled_back: 'New version did not come up',
}
const helps: Record<ContainerProblem, string> = {
  image_pull_backoff: 'The device cannot get the image. Check its name and tag, and that the device may read the registry.',
  crash_loop_backoff: 'It ends soon after each start. Its log says why.',
  port_in_use: 'Something else on the device listens on the port. Choose another.',
  name_in_use: 'A container that is not ours has the name. Remove it on the device, or choose another.',
  engine_away: 'Docker or podman does not answer on the device.',
  failed: 'The engine refused.',
  rolled_back: 'The device runs the one before again, and stays with it. Update it, or restart it to try the new version once more.',
}

const states: Record<ReportedContainer['state'], string> = {
  waiting: 'Waiting',
  downloading: 'Downloading',
  created: 'Created',
  running: 'Running',
  paused: 'Paused',
  restarting: 'Restarting',
  stopping: 'Stopping',
  exited: 'Stopped',
  removing: 'Removing',
}

/** What it means, and what to do. The engine's own words stand beside it. */
export const problemHelp = ({ code, words }: Problem): string =>
  code === 'image_pull_backoff' && /no space left on device/i.test(words)
    ? 'The image has no room on the device. Free space on its disk, and it is pulled by itself.'
    : helps[code]

/** An image whose digest is cut to what tells it apart: the name and the tag are what is read. */
export const imageWords = (image: string): string => image.replace(/(@sha(?:256|512):[0-9a-f]{12})[0-9a-f]+$/, '$1…')

const newImage = (reported: ReportedContainer): string[] => {
  if (reported.percent == null) return []
  return [isUnpacking(reported) ? 'the new image is unpacked' : `${reported.percent} % of the new image is there`]
}

const wantedNext = ({ run, generation, reported }: Container): string => {
  if (!reported?.generation) return run === 'running' ? 'wanted: running' : 'wanted: stopped'
  if (reported.generation !== generation) return ['the version before runs meanwhile', ...newImage(reported)].join('; ')
  return run === 'running' ? 'wanted: running' : 'wanted: stopped'
}

const stateWords = (reported: ReportedContainer): string => {
  if (reported.state !== 'downloading' || reported.percent == null) return states[reported.state]
  return isUnpacking(reported) ? 'Unpacking' : `${states.downloading}, ${reported.percent} %`
}

/** How a container is, in words: its state, and what differs from what is wanted. */
export function stateOf(container: Container): { status: Status; label: string; note: string | null } {
  const { reported } = container
  const how = containerStatus(container)
  if (how === 'trouble' && reported?.problem) {
    const goesOn = reported.state === 'running' && reported.generation !== container.generation
    return {
      status: 'failed',
      label: problems[reported.problem.code],
      note: goesOn ? `${reported.image ?? 'The one before'} runs meanwhile` : null,
    }
  }
  const label = reported ? stateWords(reported) : 'Not reported yet'
  if (how === 'trouble') return { status: 'warning', label: `${label}, unhealthy`, note: null }
  if (how === 'finished') return { status: 'done', label: 'Finished', note: `exit code ${reported?.exit_code ?? 0}` }
  if (how === 'pending') return { status: reported?.state === 'downloading' ? 'busy' : 'pending', label, note: wantedNext(container) }
  if (reported?.state !== 'running') return { status: 'inactive', label: 'Stopped', note: 'wanted: stopped' }
  if (reported.health === 'starting') return { status: 'live', label: 'Running', note: 'its health is not known yet' }
  return { status: 'live', label: reported.health === 'healthy' ? 'Running, healthy' : 'Running', note: null }
}

const healths = { starting: 'being tested', healthy: 'healthy', unhealthy: 'unhealthy' } as const
/** What its test says, of a container that runs. */
export const healthWords = ({ reported }: Pick<Container, 'reported'>): string =>
  reported?.state === 'running' && reported.health ? healths[reported.health] : '—'

export const portWords = ({ ports }: Pick<Container, 'ports'>): string =>
  ports.map(({ host, container, protocol }) => `${host} → ${container}${protocol === 'udp' ? '/udp' : ''}`).join(', ')

/** `30100:8080`, `30100:8080/udp` of each line. What is no number is refused by the field's own words. */
export const portsOf = (text: string) =>
  linesOf(text).map((line) => {
    const [, host, container, protocol] = /^(\d+):(\d+)(?:\/(tcp|udp))?$/.exec(line) ?? []
    return {
      host: Number(host ?? 0),
      container: Number(container ?? 0),
      protocol: protocol === 'udp' ? ('udp' as const) : ('tcp' as const),
    }
  })
export const portText = (ports: Container['ports']): string =>
  ports.map(({ host, container, protocol }) => `${host}:${container}${protocol === 'udp' ? '/udp' : ''}`).join('\n')

/** `/data:/var/lib/data:ro` of each line. */
export const volumesOf = (text: string) =>
  linesOf(text).map((line) => {
    const [host = '', container = '', mode] = line.split(':')
    return { host, container, mode: mode === 'ro' ? ('ro' as const) : ('rw' as const) }
  })
export const volumeText = (volumes: Container['volumes']): string =>
  volumes.map(({ host, container, mode }) => `${host}:${container}${mode === 'ro' ? ':ro' : ''}`).join('\n')

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

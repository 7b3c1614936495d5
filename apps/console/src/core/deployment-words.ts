import type { Board, Deployment, DeploymentState, Region } from '@masthead/contract/core/deployment'
import type { Enrolment } from '@masthead/contract/core/enrolment'
import { formatDay } from '@masthead/contract/kernel/time'
import type { Status } from '../ui/status.ts'

export const regionNames: Record<Region, string> = { global: 'Global', emea: 'EMEA', apac: 'APAC' }
export const boardNames: Record<Board, string> = { any: 'Any board', raspberry_pi: 'Raspberry Pi', jetson: 'Jetson', other: 'Other Linux' }

export const stateLooks: Record<DeploymentState, { status: Status; label: string }> = {
  open: { status: 'active', label: 'Open' },
  full: { status: 'warning', label: 'Full' },
  paused: { status: 'standby', label: 'Paused' },
  expired: { status: 'none', label: 'Expired' },
  revoked: { status: 'terminated', label: 'Revoked' },
}
/** Nearly full: so much of what it takes is used. */
const nearly = 0.9

const devices = (count: number) => (count === 1 ? '1 device' : `${count.toLocaleString('en')} devices`)

/** Of an open one that will not be for long it says so. */
export function deploymentLook({ state, enrolled, max_devices }: Deployment): { status: Status; label: string } {
  const isNearlyFull = state === 'open' && max_devices !== null && enrolled >= nearly * max_devices
  return isNearlyFull ? { status: 'warning', label: 'Nearly full' } : stateLooks[state]
}

/** What follows from its state, in a few words. */
export function stateWords({ state, enrolled, max_devices, refused }: Deployment): string {
  if (state === 'paused') return 'New devices wait'
  if (state === 'full') return 'New devices are refused'
  if (state !== 'open') return enrolled === 0 ? 'No device enrolled' : `${devices(enrolled)} keep${enrolled === 1 ? 's' : ''} working`
  if (max_devices !== null && enrolled >= nearly * max_devices) return `${devices(max_devices - enrolled)} left`
  return refused > 0 ? `${refused.toLocaleString('en')} refused` : 'Enrols devices'
}

export const endWords = ({ expires_at, state }: Pick<Deployment, 'expires_at' | 'state'>): string =>
  expires_at === null ? 'no expiry' : `${state === 'expired' ? 'ended' : 'until'} ${formatDay(expires_at)}`

export const tagWords = ({ tags }: Pick<Deployment, 'tags'>): string =>
  tags.length === 0 ? 'No tags' : tags.map(({ name }) => name ?? 'a deleted tag').join(', ')
export const groupWords = ({ network_group }: Pick<Deployment, 'network_group'>): string => network_group?.name ?? 'Default'

export const enrolmentLook = ({ result }: Pick<Enrolment, 'result'>): { status: Status; label: string } =>
  result === 'enrolled' ? { status: 'done', label: 'Enrolled' } : { status: 'failed', label: 'Refused' }

/** Why it was refused, or how it came that it asked more than once. */
export function enrolmentWords({ refusal, asked, enrolled_at, asset }: Enrolment): string {
  if (refusal) return asked === 1 ? refusal.words : `${refusal.words}; asked ${asked.toLocaleString('en')} times`
  if (!asset) return 'Its asset was removed since, or you do not see it'
  return asked > 1 && enrolled_at
    ? `Asked ${asked.toLocaleString('en')} times: an answer was lost, or it was refused before`
    : 'Has its own token'
}

/** The line of the CORE installer. */
export const installLine = (token: string, region: Region): string =>
  `sudo bash -c "$(curl -sN https://install.connect.sixfab.com)" -- -t ${token}${region === 'global' ? '' : ` -r ${region}`}`

/** What the agent reads when it starts, for who prepares an image of many devices. */
export const agentFile = (token: string): string => `core:\n  b_token: ${token}\n`

/** In the place of a token that is kept nowhere. */
export const maskedToken = ({ token_end }: Pick<Deployment, 'token_end'>): string => `mhd_••••••••${token_end}`

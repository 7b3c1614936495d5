import type { Asset } from '@masthead/contract/assets/asset'
import { containerStatus, type Application } from '@masthead/contract/devices/agent/application'
import type { Vitals } from '@masthead/contract/devices/agent/messages'
import type { Agent } from '@masthead/contract/devices/agent/update'
import type { Device } from '@masthead/contract/devices/device'
import { maintenanceState } from '@masthead/contract/devices/maintenance'
import type { Status } from '../../ui/status.ts'
import type { Step } from '../../ui/Stepper.tsx'
import { configResult } from './device-words.ts'

/** What is known of a device; of one with our agent also what it runs, once that has come. */
type Known = { asset: Pick<Asset, 'status'>; device: Device; application?: Application | undefined; agent?: Agent | undefined; now: number }
type Part = Pick<Step, 'id' | 'title' | 'state'> & { about: string; status: Status; label: string }

/** How a device is in a word, and each condition of that in its order; what breaks first is the word. */
export function deviceStatus(known: Known): { status: Status; label: string; steps: Step[] } {
  const parts = [active(known), setUp(known), configured(known), connected(known), updated(known), functions(known)]
  const first = parts.find(({ state }) => state === 'failed' || state === 'current')
  const steps = parts.map(({ id, title, state, about }): Step => ({ id, title, state, about }))
  return first ? { status: first.status, label: first.label, steps } : { status: 'live', label: 'Operational', steps }
}

function active({ asset, device }: Known): Part {
  const part = { id: 'active', title: 'Active' }
  if (device.cut_at)
    return { ...part, state: 'failed', about: 'cut off by staff: ask support', status: 'blocked', label: 'Cut off by staff' }
  if (asset.status === 'inactive')
    return { ...part, state: 'failed', about: 'the asset is switched off: its SIMs have no service', status: 'inactive', label: 'Inactive' }
  return { ...part, state: 'done', about: 'the asset is switched on', status: 'active', label: '' }
}

function setUp({ device }: Known): Part {
  const part = { id: 'set_up', title: 'Set up', status: 'pending' as const, label: 'Waits for its first report' }
  return device.reported_at
    ? { ...part, state: 'done', about: 'it reports' }
    : { ...part, state: 'current', about: 'it connected, and has reported nothing yet' }
}

/** Of one that is offline nothing goes on: what waits for it is to come. */
const goesOn = ({ device }: Known): Step['state'] => (device.presence === 'online' ? 'current' : 'todo')

function configured(known: Known): Part {
  const { device, application } = known
  const part = { id: 'configured', title: 'Configured', status: 'busy' as const, label: 'Configuring' }
  if (device.kind === 'agent') {
    if (!application?.device) return { ...part, state: 'todo', about: 'not known yet' }
    const { revision, reported_revision } = application.device
    return revision === reported_revision
      ? { ...part, state: 'done', about: `the device has applied change ${revision}, the last one` }
      : { ...part, state: goesOn(known), about: `change ${revision} is wanted, the device has reported change ${reported_revision}` }
  }
  const [last] = device.configs
  if (!last || last.state === 'withdrawn') return { ...part, state: 'done', about: 'no change waits' }
  const { applied } = configResult(last.configs, device.reported.config ?? {})
  const has = last.state === 'received' || last.state === 'acked'
  if (has) return { ...part, state: 'done', about: applied ? 'the last change is applied' : 'the device has the last change' }
  return { ...part, state: goesOn(known), about: last.published_at ? 'a change was sent' : 'a change waits' }
}

function connected({ device }: Known): Part {
  const part = { id: 'connected', title: 'Connected', status: 'offline' as const, label: 'Disconnected' }
  return device.presence === 'online'
    ? { ...part, state: 'done', about: 'it is online' }
    : { ...part, state: 'failed', about: 'what is said here is as it was reported last' }
}

function updated(known: Known): Part {
  const { device, agent, now } = known
  const part = { id: 'updated', title: 'Updated', status: 'busy' as const, label: 'Updating' }
  const failed = (about: string): Part => ({ ...part, state: 'failed', about, status: 'warning', label: 'Update failed' })
  if (device.kind === 'agent') {
    const { update, version } = agent ?? {}
    if (!update || update.state === 'done' || update.state === 'lapsed')
      return { ...part, state: 'done', about: version ? `agent ${version}` : 'no update goes on' }
    if (update.state === 'failed') return failed(`to ${update.version}: tried again`)
    if (update.state === 'gone_back') return failed(`went back from ${update.version}`)
    const how = { asked: 'was asked for', downloading: 'comes', on_trial: 'is on trial' }[update.state]
    const part_words = update.percent === null ? '' : `, ${update.percent} %`
    return { ...part, state: goesOn(known), about: `version ${update.version} ${how}${part_words}` }
  }
  const { maintenance } = device
  const state = maintenance && maintenanceState(maintenance, device.reported.system ?? {}, now)
  if (!state || state === 'done') return { ...part, state: 'done', about: 'no update goes on' }
  if (state === 'stalled' || state === 'unanswered') return failed(`of ${maintenance.services.join(' and ')}: it has stalled`)
  return { ...part, state: goesOn(known), about: `${maintenance.services.join(' and ')}: ${state}` }
}

function functions({ device, application }: Known): Part {
  const part = { id: 'functions', title: 'Functions', status: 'warning' as const, label: 'Reduced functionality' }
  const failed = (about: string): Part => ({ ...part, state: 'failed', about })
  if (device.kind !== 'agent') {
    const cellular = device.reported.monitoring?.cellular_connection
    if (cellular === false) return failed('no cellular connection')
    return cellular === true
      ? { ...part, state: 'done', about: 'cellular connection' }
      : { ...part, state: 'todo', about: 'it has not said' }
  }
  if (!application?.device) return { ...part, state: 'todo', about: 'not known yet' }
  if (application.device.engine_words) return failed('no container engine answers')
  const { items } = application
  const trouble = items.filter((each) => containerStatus(each) === 'trouble').length
  if (trouble > 0) return failed(`${trouble} of ${items.length} containers not as wanted`)
  const { undervolted } = (device.reported.vitals ?? {}) as Partial<Vitals>
  if (undervolted) return failed('its supply is too low')
  return { ...part, state: 'done', about: items.length === 0 ? 'no containers' : `${items.length} containers` }
}

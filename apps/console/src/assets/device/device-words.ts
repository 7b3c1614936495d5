import type { Device } from '@masthead/contract/devices/device'
import { configRanges, isApplied, type ConfigRequest } from '@masthead/contract/devices/config'
import type { Maintenance, MaintenanceState } from '@masthead/contract/devices/maintenance'
import { ratWords } from '../../kit/radio-technology.ts'
import type { Status } from '../../ui/status.ts'
import type { Step } from '../../ui/Stepper.tsx'

/** What a section of a device's reports says of a key, in words; a dash where it says nothing. */
export function said(device: Device, section: string, key: string): string {
  const value = device.reported[section]?.[key]
  if (value === undefined || value === null || value === '') return '—'
  return wordsOf(value)
}

export function wordsOf(value: unknown): string {
  if (value === undefined || value === null) return '—'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(wordsOf).join(', ') || '—'
  if (typeof value === 'object')
    return Object.entries(value)
      .map(
        ([key, inside]) =>
          `${key.replace(/^TYPE_([EWCX])$/, (_all, letter: string) => interfaceTypes[letter] ?? letter)} ${wordsOf(inside)}`
      )
      .join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '—'
}

/** By what it is connected. A modem says "E-UTRAN" for what people call LTE. */
export function technologyOf(device: Device): string {
  const technology = device.reported.monitoring?.active_lte_tech
  return typeof technology === 'string' ? (ratWords(technology) ?? '—') : said(device, 'monitoring', 'active_lte_tech')
}

const interfaceTypes: Record<string, string> = { E: 'Ethernet', W: 'Wi-Fi', C: 'Cellular', X: 'Other' }

export type Interface = { name: string; type: string; connected: boolean; priority: number; active: boolean }

/** `ifs_status` of the device's monitoring: `{ wwan0: [true, "TYPE_C", 10] }`. What has another shape is left out. */
export function interfacesOf(device: Device): Interface[] {
  const { ifs_status, active_interface } = device.reported.monitoring ?? {}
  if (typeof ifs_status !== 'object' || ifs_status === null) return []
  return Object.entries(ifs_status)
    .flatMap(([name, row]) => {
      const [connected, type, priority] = Array.isArray(row) ? (row as unknown[]) : []
      if (typeof connected !== 'boolean' || typeof priority !== 'number') return []
      const letter = typeof type === 'string' ? type.replace('TYPE_', '') : 'X'
      return [{ name, type: interfaceTypes[letter] ?? 'Other', connected, priority, active: name === active_interface }]
    })
    .toSorted((one, other) => metricOf(one) - metricOf(other))
}

/** As the device sets it: without a way to the internet it comes last. */
export const metricOf = ({ connected, priority }: Pick<Interface, 'connected' | 'priority'>): number => (connected ? priority * 10 : 10_000)

export const presences: Record<Device['presence'], { status: Status; label: string }> = {
  never: { status: 'never_seen', label: 'Never connected' },
  online: { status: 'online', label: 'Online' },
  offline: { status: 'offline', label: 'Offline' },
}

/** Whether a device reports what a change wants, as far as it reports those keys at all; `silent`: those that it does not report. */
export function configResult(configs: ConfigRequest['configs'], reported: Record<string, unknown>): { applied: boolean; silent: string[] } {
  const results = Object.entries(configs).map(([key, wanted]) => ({ key, applied: isApplied(wanted, reported[key]) }))
  const silent = results.filter(({ applied }) => applied === undefined).map(({ key }) => key)
  return { applied: silent.length < results.length && results.every(({ applied }) => applied !== false), silent }
}

const configNames: Record<string, string> = {
  apn: 'APN',
  acceptable_apns: 'APNs that it accepts',
  network_priority: 'Priority of networks',
  network_interface_exceptions: 'Interfaces left alone',
  check_internet_interval: 'Check internet every',
  send_monitoring_data_interval: 'Report every',
  ping_timeout: 'Wait for an answer over cellular',
  other_ping_timeout: 'Wait for an answer over others',
  logger_level: 'Log level',
  debug_mode: 'Debug mode',
  verbose_mode: 'Verbose mode',
}

/** What a key of the configuration is called; one that nobody knows here keeps its own name. */
export const configName = (key: string): string => configNames[key] ?? key
export const configNamesOf = (keys: readonly string[]): string => keys.map(configName).join(', ')

/** A value of the configuration; times are in seconds. */
export const configValue = (key: string, value: unknown): string =>
  key in configRanges && typeof value === 'number' ? `${value} s` : wordsOf(value)

const order = ['created', 'sent', 'received', 'acked'] as const

/** Pending → sent → received → applied, as far as the change has come. */
export function configSteps(request: ConfigRequest, applied: boolean | undefined): Step[] {
  const reached = request.state === 'withdrawn' ? 0 : order.indexOf(request.state)
  const steps = [
    { id: 'created', title: 'Pending', done: true, about: request.by },
    { id: 'sent', title: 'Sent', done: reached >= 1, about: request.published_at ? 'sent to the device' : 'waits until it is online' },
    { id: 'received', title: 'Received', done: reached >= 2, about: 'by what applies it' },
    { id: 'applied', title: 'Applied', done: reached >= 2 && applied === true, about: 'as the device reports it' },
  ]
  const now = steps.findIndex(({ done }) => !done)
  return steps.map(({ done, ...step }, i) => ({ ...step, state: done ? 'done' : i === now ? 'current' : 'todo' }))
}

/** Asked → downloads → restarts → another version, as far as an update of a CORE device has come by its own words. */
export function maintenanceSteps({ services, versions, status, by }: Maintenance, state: MaintenanceState): Step[] {
  const service = status?.split('_')[1]
  const steps = [
    { id: 'asked', title: 'Asked', about: by },
    { id: 'download', title: 'Downloads', about: status?.startsWith('download') ? service : undefined },
    { id: 'restart', title: 'Restarts', about: status?.startsWith('restart') ? service : undefined },
    { id: 'version', title: 'Another version', about: services.map((each) => `${each} was ${versions[each] ?? 'not known'}`).join(', ') },
  ]
  const now = state === 'done' ? steps.length : !status ? 0 : status.startsWith('restart') ? 2 : 1
  const here = state === 'stalled' || state === 'unanswered' ? 'failed' : 'current'
  return steps.map((step, place): Step => ({ ...step, state: place < now ? 'done' : place === now ? here : 'todo' }))
}

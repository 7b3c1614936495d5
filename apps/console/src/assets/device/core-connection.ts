import { countryOf } from '@masthead/contract/networks/countries'
import type { Device } from '@masthead/contract/devices/device'
import { ratWords } from '../../kit/radio-technology.ts'
import { countryName } from '../../ui/country-name.ts'
import type { Step } from '../../ui/Stepper.tsx'
import { interfacesOf, technologyOf } from './device-words.ts'

/** What a device says of a key; undefined where it does not know it: a CORE device says null, nothing, or "Unknown". */
function knownOf(device: Device, section: string, key: string): string | undefined {
  const value = device.reported[section]?.[key]
  return typeof value === 'string' && value !== '' && value.toLowerCase() !== 'unknown' ? value : undefined
}

/**
 * The way of a CORE device to the internet, in the order in which it walks it after each start and each fault (domain §6.4), as far as its reports say. It
 * does not say at which step it is.
 */
export function connectionSteps(device: Device): Step[] {
  const cellular = device.reported.monitoring?.cellular_connection
  const line = interfacesOf(device).find(({ type }) => type === 'Cellular')
  const iccid = knownOf(device, 'system', 'iccid')
  const operator = knownOf(device, 'monitoring', 'roaming_operator')
  const technology = knownOf(device, 'monitoring', 'active_lte_tech') && technologyOf(device)
  const found: [id: string, title: string, about: string | undefined][] = [
    ['modem', 'Find modem', knownOf(device, 'system', 'modem_name')],
    ['identity', 'Read modem', knownOf(device, 'system', 'sw_version')],
    ['apn', 'Configure APN', knownOf(device, 'monitoring', 'selected_apn')],
    ['sim', 'SIM ready', iccid && `${iccid.slice(0, 4)}…${iccid.slice(-4)}`],
    ['network', 'Network', operator && [operator, technology].filter(Boolean).join(', ')],
    ['line', 'Data line', line?.name],
  ]
  const steps = found.map(([id, title, about]): Step => ({
    id,
    title,
    state: about ? 'done' : 'unknown',
    about: about ?? 'the device has not said',
  }))
  const internet = { id: 'internet', title: 'Internet' }
  if (cellular === true) return [...steps, { ...internet, state: 'done', about: 'over cellular' }]
  if (cellular === false) return [...steps, { ...internet, state: 'failed', about: 'not over cellular' }]
  return [...steps, { ...internet, state: 'unknown', about: 'the device has not said' }]
}

const measures = [
  ['interface', 'Restart the interface'],
  ['usb', 'Reset USB'],
  ['softly', 'Restart modem'],
  ['hardly', 'Cut modem’s power'],
] as const

/** What each bit of a diagnosis says where it is not set (domain §6.4). */
const findings = [
  'the modem does not answer',
  'another APN is set',
  'the modem is in another mode',
  'the SIM is not ready',
  'no network',
  'no data line',
  'no USB driver',
  'the interface has no route',
  'no modem at USB',
]

/**
 * What a CORE device does where a step fails, one measure after the other until it has internet (domain §6.4). It says that there is a fault and how many it
 * solved, some agents also what they diagnosed, and none which measure it is at or which one helped (docs/decisions/0052).
 */
export function repairSteps(device: Device): { about: string; steps: Step[] } {
  const { cellular_connection: cellular, fixed_incident: solved } = device.reported.monitoring ?? {}
  const known = typeof solved === 'number' && typeof cellular === 'boolean'
  const all = (state: Step['state']) =>
    [{ id: 'diagnose', title: 'Diagnose' }, ...measures.map(([id, title]) => ({ id, title }))].map((step): Step => ({ ...step, state }))
  if (!known) return { about: 'The device has said nothing of faults.', steps: all('unknown') }
  if (cellular && solved === 0) return { about: 'There was no fault to solve.', steps: all('unreached') }
  const faults = `${solved.toLocaleString('en')} ${solved === 1 ? 'fault' : 'faults'}`
  const about = cellular
    ? `It solved ${faults}. Of the last one it does not say which measure helped.`
    : `A fault is open${solved > 0 ? `, after ${faults} that it solved` : ''}. It does not say which measure it is at.`
  const [diagnose, ...others] = all('unknown') as [Step, ...Step[]]
  const found = diagnosisOf(device, cellular ? solved : solved + 1)
  return { about, steps: [found === undefined ? diagnose : { ...diagnose, state: 'done', about: found }, ...others] }
}

/** What the device found at its nth fault; undefined: it has not said. */
function diagnosisOf(device: Device, fault: number): string | undefined {
  const { diagnostic, incident_id } = device.reported.diagnostic ?? {}
  if (incident_id !== fault || typeof diagnostic !== 'number' || !Number.isInteger(diagnostic)) return undefined
  return findings.filter((_words, bit) => (diagnostic & (1 << bit)) === 0).join(', ') || 'all is as it should be'
}

export type Cell = { technology: string; network: string; country: string | null; parts: [name: string, value: number][] }

/** The cell that a device said it is in; null: it said none. */
export function cellOf(device: Device): Cell | null {
  const said = device.reported.geolocation ?? {}
  const number = (key: string) => (typeof said[key] === 'number' ? said[key] : undefined)
  const [mcc, mnc] = [number('mcc'), number('mnc')]
  if (mcc === undefined || mnc === undefined) return null
  const network = `${String(mcc).padStart(3, '0')}-${String(mnc).padStart(2, '0')}`
  const country = countryOf(network)
  const parts = (['tac', 'lac', 'cid', 'psc'] as const).flatMap((key): Cell['parts'] => {
    const value = number(key)
    return value === undefined ? [] : [[key.toUpperCase(), value]]
  })
  return { technology: technologies[String(said.radio_type)] ?? '—', network, country: country && countryName(country), parts }
}

const technologies: Record<string, string> = { nr5g: ratWords('NR')!, lte: 'LTE', wcdma: '3G', gsm: '2G' }

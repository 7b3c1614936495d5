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
 * does not say at which step it is: what it says nothing of is to come.
 */
export function connectionSteps(device: Device): Step[] {
  const cellular = device.reported.monitoring?.cellular_connection
  const line = interfacesOf(device).find(({ type }) => type === 'Cellular')
  const iccid = knownOf(device, 'system', 'iccid')
  const operator = knownOf(device, 'monitoring', 'roaming_operator')
  const technology = knownOf(device, 'monitoring', 'active_lte_tech') && technologyOf(device)
  const found: [id: string, title: string, about: string | undefined][] = [
    ['modem', 'Find modem', knownOf(device, 'system', 'modem_name')],
    ['apn', 'Configure APN', knownOf(device, 'monitoring', 'selected_apn')],
    ['sim', 'SIM ready', iccid && `${iccid.slice(0, 4)}…${iccid.slice(-4)}`],
    ['network', 'Network', operator && [operator, technology].filter(Boolean).join(', ')],
    ['line', 'Data line', line?.name],
  ]
  const steps = found.map(([id, title, about]): Step => ({
    id,
    title,
    state: about ? 'done' : 'todo',
    about: about ?? 'the device has not said',
  }))
  const internet = { id: 'internet', title: 'Internet' }
  if (cellular === true) return [...steps, { ...internet, state: 'done', about: 'over cellular' }]
  if (cellular === false) return [...steps, { ...internet, state: 'failed', about: 'not over cellular' }]
  return [...steps, { ...internet, state: 'todo', about: 'the device has not said' }]
}

/** What the device does when a step fails, one after the other until it is solved (domain §6.4). */
export const repairs = ['Diagnose', 'Restart the interface', 'Reset USB', 'Restart modem', 'Cut modem’s power'] as const

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

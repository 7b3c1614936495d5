import type { DeviceKind } from '@masthead/contract/devices/device-kind'
import { updateStatusOf, type UpdateStatus } from '@masthead/contract/devices/maintenance'

/** One connection of a device: its birth and its death say the same two. `fresh`: the first one of its process. */
export type Life = { seq: number; ts: number; fresh: boolean }

export type Message =
  | { kind: 'report'; section: string; keys: Record<string, unknown>; mid: string }
  | { kind: 'config'; id: string; status: 'sent' | 'received' }
  | { kind: 'update'; status: UpdateStatus }
  | Refused
/** A report that is never stored, whenever it is sent. `why`: it …, in words. */
export type Refused = { kind: 'refused'; section: string; mid: string; why: string }

const mostDepth = 6
const mostKeys = 256

/** What an existing CORE device says; an agent of ours may say more. */
const coreSections: ReadonlySet<string> = new Set(['monitoring', 'system', 'config', 'geolocation', 'diagnostic'])

/** Of these it says each time the whole (domain §6.2): a key that is not in it is none any more. Of the others it says what has changed. */
export const wholeSections: readonly string[] = ['geolocation', 'diagnostic']

/** `{ seq, ts, fresh? }` of a birth or a death. */
export function readLife(payload: Buffer): Life | undefined {
  const said = parse(payload)
  if (!said || !isSeq(said.seq) || !Number.isFinite(said.ts)) return undefined
  const ts = said.ts as number
  return { seq: said.seq, ts, fresh: said.fresh === true }
}

/** A message to `…/hive`; undefined: none that is known. */
export function readMessage(payload: Buffer, kind: DeviceKind): Message | undefined {
  const said = parse(payload)
  if (typeof said?.type !== 'string') return undefined
  if (said.type.startsWith('data_')) return readReport(said, said.type.slice('data_'.length), kind)
  if (said.type === 'config') return readConfig(said.data)
  if (said.type === 'update_status') return { kind: 'update', status: updateStatusOf(said.status) }
  return undefined
}

/**
 * What is known of a report that is too large to be read: its section and its id, which stand before and behind what it says. Agents of before send
 * such ones, and nothing else until they are acknowledged.
 */
export function readTooLarge(payload: Buffer, most: number): Refused | undefined {
  const section = /^\s*\{\s*"type"\s*:\s*"data_([a-z_]{1,40})"/.exec(payload.toString('utf8', 0, 100))?.[1]
  const mid = /"mid"\s*:\s*"([\w-]{1,64})"\s*\}\s*$/.exec(payload.toString('utf8', payload.length - 120))?.[1]
  return section && mid ? { kind: 'refused', section, mid, why: `has ${payload.length} bytes, more than ${most}` } : undefined
}

function readReport({ data, mid }: Said, section: string, kind: DeviceKind): Message | undefined {
  if (!isWord(mid)) return undefined
  const refused = (why: string): Refused => ({ kind: 'refused', section: section.slice(0, 40), mid, why })
  if (kind === 'core' ? !coreSections.has(section) : !/^[a-z][a-z_]{0,31}$/.test(section)) return refused('is of no section that is known')
  if (!isObject(data)) return refused('has no keys')
  if (Object.keys(data).length > mostKeys) return refused(`has more than ${mostKeys} keys`)
  if (!isStorable(data)) return refused(`holds NUL or half a character, or is nested more than ${mostDepth} deep`)
  return { kind: 'report', section, keys: data, mid }
}

function readConfig(data: unknown): Message | undefined {
  if (!isObject(data) || !isWord(data.id) || (data.status !== 'sent' && data.status !== 'received')) return undefined
  return { kind: 'config', id: data.id, status: data.status }
}

type Said = Record<string, unknown>

function parse(payload: Buffer): Said | undefined {
  try {
    const said: unknown = JSON.parse(payload.toString('utf8'))
    return isObject(said) ? said : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Said => typeof value === 'object' && value !== null && !Array.isArray(value)
const isSeq = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255
const isWord = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,64}$/.test(value)

/** PostgreSQL keeps neither NUL nor half a surrogate pair in JSON, and what is nested very deeply is nothing a device says. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (depth >= mostDepth) return false
  return Object.entries(value).every(([key, inside]) => isStorable(key) && isStorable(inside, depth + 1))
}

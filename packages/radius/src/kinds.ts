import { formatIPv6, parseIPv6 } from './ipv6.ts'
import { RadiusError } from './radius-error.ts'

/** How one kind of value lies in an attribute. `read` gives null when the octets are not such a value; `write` throws a RadiusError. */
export type Kind<T> = {
  name: string
  read(bytes: Buffer, from: number, to: number): T | null
  write(value: T): Buffer
}

function isPlain(bytes: Buffer, from: number, to: number) {
  for (let at = from; at < to; at++) if (bytes[at]! < 0x20 || bytes[at]! > 0x7e) return false
  return true
}

/**
 * Words from the wire, always fit for a database and for staff who read them: what is not printable UTF-8 is shown as `\xNN`, octet by octet,
 * and so is what nobody sees or what turns the direction of the text around it.
 */
export function readText(bytes: Buffer, from: number, to: number): string {
  while (to > from && bytes[to - 1] === 0) to-- // some gateways pad with NUL
  if (isPlain(bytes, from, to)) return bytes.toString('latin1', from, to)
  const words = bytes.toString('utf8', from, to)
  // oxlint-disable-next-line no-control-regex
  if (!/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffd]/.test(words)) return words
  let escaped = ''
  for (let at = from; at < to; at++) {
    const octet = bytes[at]!
    escaped += octet >= 0x20 && octet <= 0x7e && octet !== 0x5c ? String.fromCharCode(octet) : `\\x${octet.toString(16).padStart(2, '0')}`
  }
  return escaped
}

/** The octets of words; of words that `readText` had to show octet by octet, the ones that came: whoever sent them knows no others. */
function writeText(words: string): Buffer {
  if (words.includes('\\x')) {
    const octets = Buffer.from(
      words.replaceAll(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1'
    )
    if (readText(octets, 0, octets.length) === words) return octets
  }
  return Buffer.from(words)
}

/** Four octets as an unsigned number, or null. */
export function readInteger(bytes: Buffer, from: number, to: number): number | null {
  if (to - from !== 4) return null
  return bytes[from]! * 0x1000000 + ((bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!)
}

/** Four octets as `a.b.c.d`, or null. */
export function readAddress(bytes: Buffer, from: number, to: number): string | null {
  if (to - from !== 4) return null
  return `${bytes[from]}.${bytes[from + 1]}.${bytes[from + 2]}.${bytes[from + 3]}`
}

function unsigned(value: number, octets: 1 | 4): Buffer {
  if (!Number.isInteger(value) || value < 0 || value >= 256 ** octets) throw new RadiusError(`${value} does not fit ${octets} octets`)
  const bytes = Buffer.allocUnsafe(octets)
  bytes.writeUIntBE(value, 0, octets)
  return bytes
}

function parseAddress(value: string): Buffer {
  const parts = value.split('.')
  const isOctet = (part: string) => /^\d{1,3}$/.test(part) && Number(part) < 256
  if (parts.length !== 4 || !parts.every(isOctet)) throw new RadiusError(`${value} is not an IPv4 address`)
  return Buffer.from(parts.map(Number))
}

export const text: Kind<string> = { name: 'text', read: readText, write: writeText }

export const integer: Kind<number> = { name: 'integer', read: readInteger, write: (value) => unsigned(value, 4) }

/** Seconds since 1970. */
export const time: Kind<number> = { ...integer, name: 'time' }

export const octet: Kind<number> = {
  name: 'octet',
  read: (bytes, from, to) => (to - from === 1 ? bytes[from]! : null),
  write: (value) => unsigned(value, 1),
}

/** Raw octets: a view into the packet, not a copy. */
export const octets: Kind<Buffer> = {
  name: 'octets',
  read: (bytes, from, to) => bytes.subarray(from, to),
  write: (value) => value,
}

export const address: Kind<string> = { name: 'address', read: readAddress, write: parseAddress }

export const ipv6: Kind<string> = {
  name: 'ipv6',
  read: (bytes, from, to) => (to - from === 16 ? formatIPv6(bytes.subarray(from, to)) : null),
  write: parseIPv6,
}

/** `2001:db8::/64`. RFC 3162 §2.3: a reserved octet, the length in bits, then as many octets as matter. */
export const ipv6prefix: Kind<string> = {
  name: 'ipv6prefix',
  read(bytes, from, to) {
    const bits = bytes[from + 1] ?? 255
    const given = to - from - 2
    if (given < 0 || given > 16 || bits > 128 || given * 8 < bits) return null
    const whole = Buffer.alloc(16)
    bytes.copy(whole, 0, from + 2, to)
    return `${formatIPv6(whole)}/${bits}`
  },
  write(value) {
    const [prefix = '', length = ''] = value.split('/')
    const bits = Number(length)
    if (!/^\d{1,3}$/.test(length) || bits > 128) throw new RadiusError(`${value} is not an IPv6 prefix`)
    return Buffer.concat([Buffer.from([0, bits]), parseIPv6(prefix).subarray(0, Math.ceil(bits / 8))])
  },
}

import { dictionary, vendor3gpp, vendorSpecific } from './dictionary.ts'
import type { Attributes, AttributeName, Definition } from './dictionary.ts'
import { RadiusError } from './radius-error.ts'

/** Packet codes (RFC 2865 §3, RFC 2866 §3, RFC 5176 §2, RFC 5997 §4). */
export const codes = {
  access_request: 1,
  access_accept: 2,
  access_reject: 3,
  accounting_request: 4,
  accounting_response: 5,
  status_server: 12,
  disconnect_request: 40,
  disconnect_ack: 41,
  disconnect_nak: 42,
  coa_request: 43,
  coa_ack: 44,
  coa_nak: 45,
} as const

export type Code = (typeof codes)[keyof typeof codes]
const known = new Set<number>(Object.values(codes))

/** RFC 2865 §3: code, identifier, length and authenticator; then attributes, up to 4096 octets in all. */
export const headerLength = 20
export const maxLength = 4096

/** Why a datagram is no packet: few enough to be the label of a counter. */
export type Malformed = 'too short' | 'too long' | 'length mismatch' | 'unknown code' | 'bad attribute length'

/** One attribute as it lies in the packet. A vendor attribute that we do not know, or cannot split, is `vendor` 0, `type` 26. */
export type Attribute = { vendor: number; type: number; value: Buffer }

/** A well-formed packet. It views the received octets and reads attributes only when asked. */
export class Packet {
  readonly code: Code
  readonly identifier: number
  /** Exactly the packet, without padding. */
  readonly bytes: Buffer
  /** Where the value of the first Message-Authenticator begins; 0 when there is none. */
  readonly messageAuthenticatorAt: number

  constructor(bytes: Buffer, messageAuthenticatorAt: number) {
    this.code = bytes[0] as Code
    this.identifier = bytes[1]!
    this.bytes = bytes
    this.messageAuthenticatorAt = messageAuthenticatorAt
  }

  get authenticator(): Buffer {
    return this.bytes.subarray(4, headerLength)
  }

  get attributes(): Attribute[] {
    const found: Attribute[] = []
    eachAttribute(this, found, (list, bytes, vendor, type, from, to) => {
      list.push({ vendor, type, value: bytes.subarray(from, to) })
    })
    return found
  }
}

/** The packet in a datagram, or in words why there is none. Octets after the packet's own length are padding (RFC 2865 §3). */
export function decode(datagram: Buffer): Packet | Malformed {
  if (datagram.length < headerLength) return 'too short'
  const length = (datagram[2]! << 8) | datagram[3]!
  if (length < headerLength) return 'too short'
  if (length > maxLength) return 'too long'
  if (length > datagram.length) return 'length mismatch'
  if (!known.has(datagram[0]!)) return 'unknown code'
  let signedAt = 0
  for (let at = headerLength; at < length;) {
    const size = at + 1 < length ? datagram[at + 1]! : 0
    if (size < 2 || at + size > length) return 'bad attribute length'
    if (datagram[at] === 80 && signedAt === 0) {
      if (size !== 18) return 'bad attribute length'
      signedAt = at + 2
    }
    at += size
  }
  return new Packet(length === datagram.length ? datagram : datagram.subarray(0, length), signedAt)
}

type Visit<Into> = (into: Into, bytes: Buffer, vendor: number, type: number, from: number, to: number) => void

/** Calls `visit` for each attribute, the sub-attributes of 3GPP among them. `into` is passed on, so that `visit` needs no closure. */
export function eachAttribute<Into>(packet: Packet, into: Into, visit: Visit<Into>): void {
  const { bytes } = packet
  for (let at = headerLength; at < bytes.length;) {
    const end = at + bytes[at + 1]!
    if (bytes[at] === vendorSpecific && canSplit(bytes, at + 2, end)) {
      for (let sub = at + 6; sub < end; sub += bytes[sub + 1]!) visit(into, bytes, vendor3gpp, bytes[sub]!, sub + 2, sub + bytes[sub + 1]!)
    } else visit(into, bytes, 0, bytes[at]!, at + 2, end)
    at = end
  }
}

/** Whether a Vendor-Specific value is 3GPP's and whole to its end: a half-read one would be a guess. */
function canSplit(bytes: Buffer, from: number, to: number): boolean {
  if (to - from < 6 || bytes.readUInt32BE(from) !== vendor3gpp) return false
  for (let sub = from + 4; sub < to;) {
    const size = sub + 1 < to ? bytes[sub + 1]! : 0
    if (size < 2 || sub + size > to) return false
    sub += size
  }
  return true
}

/** The first attribute of this definition that can be read, or null. */
export function find<T>(packet: Packet, { vendor, type, kind }: Definition<T>): T | null {
  const into: { value: T | null } = { value: null }
  eachAttribute(packet, into, (found, bytes, itsVendor, itsType, from, to) => {
    if (itsVendor === vendor && itsType === type) found.value ??= kind.read(bytes, from, to)
  })
  return into.value
}

const scratch = Buffer.alloc(maxLength)

/** The octets of a packet, not yet signed. Throws a RadiusError for what does not fit. */
export function encode(packet: { code: Code; identifier: number; authenticator?: Buffer; attributes: Attributes }): Buffer {
  scratch[0] = packet.code
  scratch[1] = packet.identifier
  scratch.fill(0, 4, headerLength)
  packet.authenticator?.copy(scratch, 4, 0, 16)
  let at = headerLength
  for (const name in packet.attributes) {
    const given = packet.attributes[name as AttributeName]
    if (given === undefined) continue
    const definition = dictionary[name as AttributeName] as Definition<unknown> | undefined
    if (!definition) throw new RadiusError(`There is no attribute ${name}`)
    for (const value of Array.isArray(given) ? given : [given]) at = write(definition, value, at)
  }
  scratch.writeUInt16BE(at, 2)
  return Buffer.from(scratch.subarray(0, at))
}

function write({ vendor, type, name, kind }: Definition<unknown>, value: unknown, start: number): number {
  const octets = kind.write(value)
  const head = vendor === 0 ? 2 : 8
  const end = start + head + octets.length
  if (octets.length + head > 255) throw new RadiusError(`${name} is too long: ${octets.length} octets`)
  if (end > maxLength) throw new RadiusError(`The packet is too long for ${name}`)
  let at = start
  if (vendor !== 0) {
    scratch[at] = vendorSpecific
    scratch[at + 1] = end - start
    scratch.writeUInt32BE(vendor, at + 2)
    at += 6
  }
  scratch[at] = type
  scratch[at + 1] = octets.length + 2
  octets.copy(scratch, at + 2)
  return end
}

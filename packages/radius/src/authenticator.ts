import { hash, randomFillSync } from 'node:crypto'
import { dictionary } from './dictionary.ts'
import type { Attributes } from './dictionary.ts'
import { codes, eachAttribute, encode, headerLength, maxLength } from './packet.ts'
import type { Code, Packet } from './packet.ts'
import { RadiusError } from './radius-error.ts'

/** Why a well-formed packet is not believed. The second is what an address marked legacy may be forgiven in an Access-Request. */
export type Fault = 'wrong authenticator' | 'no Message-Authenticator' | 'wrong Message-Authenticator'

const block = 64 // of MD5, RFC 2104
const zeros = Buffer.alloc(16)
const work = Buffer.alloc(block + maxLength + 1024)
const outer = Buffer.alloc(block + 16)

/** MD5 over the packet with `authenticator` in its place, then the secret (RFC 2865 §3, RFC 2866 §3). 16 latin-1 characters. */
function authenticatorOf(bytes: Buffer, authenticator: Buffer, secret: Buffer): string {
  checkSecret(secret)
  bytes.copy(work, 0)
  authenticator.copy(work, 4, 0, 16)
  secret.copy(work, bytes.length)
  return hash('md5', work.subarray(0, bytes.length + secret.length), 'binary')
}

/**
 * HMAC-MD5 over the packet with `authenticator` in its place and zeros at `at` (RFC 3579 §3.2). 16 latin-1 characters.
 * Two one-shot hashes, because an Hmac object costs ten times as much as the hashing.
 */
function messageAuthenticatorOf(bytes: Buffer, at: number, authenticator: Buffer, secret: Buffer): string {
  checkSecret(secret)
  const key = secret.length > block ? hash('md5', secret, 'buffer') : secret
  for (let i = 0; i < block; i++) {
    const octet = i < key.length ? key[i]! : 0
    work[i] = octet ^ 0x36
    outer[i] = octet ^ 0x5c
  }
  bytes.copy(work, block)
  authenticator.copy(work, block + 4, 0, 16)
  work.fill(0, block + at, block + at + 16)
  outer.write(hash('md5', work.subarray(0, block + bytes.length), 'binary'), block, 'latin1')
  return hash('md5', outer, 'binary')
}

/** Throws a RadiusError for a shared secret that nothing can be signed with. */
export function checkSecret(secret: Buffer): void {
  if (secret.length === 0 || secret.length > 1024) throw new RadiusError('A secret has 1 to 1024 octets')
}

/** Compares in constant time: how much of a forged authenticator was right must not show. */
function same(bytes: Buffer, at: number, expected: string): boolean {
  let different = 0
  for (let i = 0; i < 16; i++) different |= bytes[at + i]! ^ expected.charCodeAt(i)
  return different === 0
}

/** Requests whose authenticator is a hash over themselves; an Access-Request and a Status-Server (RFC 5997 §3) have a random one instead. */
const signsItself = (code: Code) => code !== codes.access_request && code !== codes.status_server

/** Null when this request comes from who knows `secret`, else why not. */
export function requestFault(packet: Packet, secret: Buffer): Fault | null {
  const { bytes, code, messageAuthenticatorAt: at } = packet
  if (signsItself(code) && !same(bytes, 4, authenticatorOf(bytes, zeros, secret))) return 'wrong authenticator'
  if (at === 0) return signsItself(code) ? null : 'no Message-Authenticator'
  // RFC 5176 §3.3: in a request that signs itself, it is made while the authenticator is still zero.
  const expected = messageAuthenticatorOf(bytes, at, signsItself(code) ? zeros : packet.authenticator, secret)
  return same(bytes, at, expected) ? null : 'wrong Message-Authenticator'
}

/**
 * What stands in a reply's authenticator while its Message-Authenticator is made: the request's (RFC 3579 §3.2, RFC 5176 §3.3).
 * No RFC has one in an Accounting-Response; FreeRADIUS, whose clients check it, takes zeros there, but not in the answer to a Status-Server.
 */
const coveredAuthenticator = (code: Code, asked: Code, ofRequest: Buffer) =>
  code === codes.accounting_response && asked !== codes.status_server ? zeros : ofRequest

/** Null when this reply answers `requestAuthenticator` and comes from who knows `secret`, else why not. `asked`: the request's code. */
export function replyFault(
  reply: Packet,
  requestAuthenticator: Buffer,
  secret: Buffer,
  asked: Code = codes.accounting_request
): Fault | null {
  const { bytes, code, messageAuthenticatorAt: at } = reply
  if (!same(bytes, 4, authenticatorOf(bytes, requestAuthenticator, secret))) return 'wrong authenticator'
  // An Accept or Reject without it may have been forged by a collision (CVE-2024-3596).
  if (at === 0) return code === codes.access_accept || code === codes.access_reject ? 'no Message-Authenticator' : null
  const covered = coveredAuthenticator(code, asked, requestAuthenticator)
  return same(bytes, at, messageAuthenticatorOf(bytes, at, covered, secret)) ? null : 'wrong Message-Authenticator'
}

/** Signs a request in place, its Message-Authenticator (if `messageAuthenticatorAt` says where) before its authenticator. */
export function signRequest(bytes: Buffer, messageAuthenticatorAt: number, secret: Buffer): void {
  const itself = signsItself(bytes[0] as Code)
  const authenticator = itself ? zeros : bytes.subarray(4, headerLength)
  if (messageAuthenticatorAt !== 0) {
    bytes.write(messageAuthenticatorOf(bytes, messageAuthenticatorAt, authenticator, secret), messageAuthenticatorAt, 'latin1')
  }
  if (itself) bytes.write(authenticatorOf(bytes, zeros, secret), 4, 'latin1')
}

type RequestCode = 'access_request' | 'accounting_request' | 'status_server' | 'disconnect_request' | 'coa_request'
export type Request = {
  code: (typeof codes)[RequestCode]
  identifier: number
  attributes: Attributes
  /** An Access-Request's random authenticator, for who must hide a password with it. */
  authenticator?: Buffer
  /** Whether to carry a Message-Authenticator: always first, and on unless said otherwise. */
  message_authenticator?: boolean
}

// Where the value of a Message-Authenticator lies that is the first attribute.
const firstValueAt = headerLength + 2
const signedFirst = (attributes: Attributes): Attributes => ({ message_authenticator: zeros, ...attributes })

/** A signed request, ready to send. Throws a RadiusError for what does not fit. */
export function encodeRequest({ message_authenticator: signed = true, ...request }: Request, secret: Buffer): Buffer {
  const authenticator = request.authenticator ?? (signsItself(request.code) ? zeros : randomFillSync(Buffer.alloc(16)))
  const bytes = encode({ ...request, authenticator, attributes: signed ? signedFirst(request.attributes) : request.attributes })
  signRequest(bytes, signed ? firstValueAt : 0, secret)
  return bytes
}

const mostBeside = 1024 // octets: no reply of ours has more beside its Proxy-States

/** All Proxy-States fit into a reply but in the longest requests: then words make room, as a proxy drops what is without its state. */
function withStates(attributes: Attributes, states: Buffer[]): Attributes {
  let room = maxLength - mostBeside
  for (const { length } of states) room -= length + 2
  if (room >= 0) return { ...attributes, proxy_state: states }
  const { reply_message: _words, ...rest } = attributes
  room = maxLength - encode({ code: codes.access_reject, identifier: 0, attributes: rest }).length
  return { ...rest, proxy_state: states.filter(({ length }) => (room -= length + 2) >= 0) }
}

/** A signed reply: Message-Authenticator first (CVE-2024-3596), then `attributes`, then the request's Proxy-States in order (RFC 2865 §5.33). */
export function encodeReply(request: Packet, code: Code, attributes: Attributes, secret: Buffer): Buffer {
  const states: Buffer[] = []
  eachAttribute(request, states, (list, octets, vendor, type, from, to) => {
    if (vendor === 0 && type === dictionary.proxy_state.type) list.push(octets.subarray(from, to))
  })
  const { identifier, authenticator, code: asked } = request
  const bytes = encode({ code, identifier, authenticator, attributes: withStates(signedFirst(attributes), states) })
  const covered = coveredAuthenticator(code, asked, authenticator)
  bytes.write(messageAuthenticatorOf(bytes, firstValueAt, covered, secret), firstValueAt, 'latin1')
  bytes.write(authenticatorOf(bytes, authenticator, secret), 4, 'latin1')
  return bytes
}

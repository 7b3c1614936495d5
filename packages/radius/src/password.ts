import { hash, timingSafeEqual } from 'node:crypto'
import { dictionary } from './dictionary.ts'
import { find } from './packet.ts'
import type { Packet } from './packet.ts'
import { RadiusError } from './radius-error.ts'

const md5 = (...parts: Buffer[]) => hash('md5', Buffer.concat(parts), 'buffer')

/** Hides a password of up to 128 octets for User-Password (RFC 2865 §5.2). */
export function hidePassword(password: string, authenticator: Buffer, secret: Buffer): Buffer {
  const plain = Buffer.from(password)
  if (plain.length > 128) throw new RadiusError('A password has at most 128 octets')
  const hidden = Buffer.alloc(Math.max(16, Math.ceil(plain.length / 16) * 16))
  plain.copy(hidden)
  for (let at = 0, before = authenticator; at < hidden.length; at += 16) {
    const mask = md5(secret, before)
    for (let i = 0; i < 16; i++) hidden[at + i]! ^= mask[i]!
    before = hidden.subarray(at, at + 16)
  }
  return hidden
}

/** The password of an Access-Request in clear, or null when there is no readable User-Password. */
export function readPassword(packet: Packet, secret: Buffer): string | null {
  const hidden = find(packet, dictionary.user_password)
  if (!hidden || hidden.length === 0 || hidden.length > 128 || hidden.length % 16 !== 0) return null
  const plain = Buffer.alloc(hidden.length)
  for (let at = 0, before = packet.authenticator; at < hidden.length; at += 16) {
    const mask = md5(secret, before)
    for (let i = 0; i < 16; i++) plain[at + i] = hidden[at + i]! ^ mask[i]!
    before = hidden.subarray(at, at + 16)
  }
  const end = plain.indexOf(0)
  return plain.toString('utf8', 0, end < 0 ? plain.length : end)
}

/** Whether the CHAP-Password of an Access-Request was made with `password` (RFC 2865 §5.3). */
export function chapMatches(packet: Packet, password: string): boolean {
  const chap = find(packet, dictionary.chap_password)
  if (chap?.length !== 17) return false
  const challenge = find(packet, dictionary.chap_challenge) ?? packet.authenticator
  return timingSafeEqual(chap.subarray(1), md5(chap.subarray(0, 1), Buffer.from(password), challenge))
}

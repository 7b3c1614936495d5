import { isIPv6 } from 'node:net'
import { RadiusError } from './radius-error.ts'

/** Sixteen octets in the shortest usual spelling (RFC 5952). */
export function formatIPv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16))
  let start = -1
  let longest = 1 // a single zero group stays as it is
  for (let i = 0; i < 8; i++) {
    let run = 0
    while (groups[i + run] === '0') run++
    if (run > longest) [start, longest] = [i, run]
  }
  if (start < 0) return groups.join(':')
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + longest).join(':')}`
}

/** The sixteen octets of an IPv6 address in words. Throws a RadiusError for anything else, scopes (`%eth0`) included. */
export function parseIPv6(value: string): Buffer {
  if (!isIPv6(value) || value.includes('%')) throw new RadiusError(`${value} is not an IPv6 address`)
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(value)
  const hex = dotted ? value.slice(0, dotted.index) + embedded(dotted.slice(1).map(Number)) : value
  const [head = '', tail] = hex.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = tail === undefined ? before : [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  const bytes = Buffer.alloc(16)
  groups.forEach((group, i) => bytes.writeUInt16BE(parseInt(group, 16), i * 2))
  return bytes
}

const embedded = ([a = 0, b = 0, c = 0, d = 0]: number[]) => `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`

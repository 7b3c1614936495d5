import type { Kind } from './kinds.ts'
import { RadiusError } from './radius-error.ts'

/**
 * Where a device is, as the network says (3GPP TS 29.061 §16.4.7.2 and TS 29.274 §8.21).
 * `area` is the LAC (2G, 3G) or TAC (4G, 5G); `cell` the CI, SAC, RAC, ECI or NCI, whichever `type` has.
 */
export type Location = { type: LocationType; mcc: string; mnc: string; area: number | null; cell: number | null }

export type LocationType = 'cgi' | 'sai' | 'rai' | 'lai' | 'tai' | 'ecgi' | 'tai_ecgi' | 'ncgi' | 'tai_5gs' | 'tai_ncgi'

// Octets of the area and the cell after the first PLMN; a second PLMN stands before the cell where both parts carry one.
type Layout = { octet: number; area: 0 | 2 | 3; cell: 0 | 2 | 4 | 5; second_plmn?: true }

const layouts: Record<LocationType, Layout> = {
  cgi: { octet: 0, area: 2, cell: 2 },
  sai: { octet: 1, area: 2, cell: 2 },
  rai: { octet: 2, area: 2, cell: 2 },
  lai: { octet: 32, area: 2, cell: 0 },
  tai: { octet: 128, area: 2, cell: 0 },
  ecgi: { octet: 129, area: 0, cell: 4 },
  tai_ecgi: { octet: 130, area: 2, cell: 4, second_plmn: true },
  ncgi: { octet: 135, area: 0, cell: 5 },
  tai_5gs: { octet: 136, area: 3, cell: 0 },
  tai_ncgi: { octet: 137, area: 3, cell: 5, second_plmn: true },
}
const types = new Map(Object.entries(layouts).map(([type, layout]) => [layout.octet, { type: type as LocationType, ...layout }]))

/** Three TBCD octets as MCC and MNC, or null when a digit is none. A two-digit MNC has 0xF as its third (TS 24.008 §10.5.1.3). */
export function readPlmn(bytes: Buffer, at: number): { mcc: string; mnc: string } | null {
  const [a = 0xff, b = 0xff, c = 0xff] = [bytes[at], bytes[at + 1], bytes[at + 2]]
  const digits = [a & 15, a >> 4, b & 15, c & 15, c >> 4]
  const third = b >> 4
  if (digits.some((digit) => digit > 9) || (third > 9 && third !== 15)) return null
  return { mcc: digits.slice(0, 3).join(''), mnc: `${digits[3]}${digits[4]}${third === 15 ? '' : third}` }
}

/** The three TBCD octets of a network. Throws a RadiusError unless `mcc` has 3 digits and `mnc` 2 or 3. */
export function writePlmn(mcc: string, mnc: string): Buffer {
  if (!/^\d{3}$/.test(mcc) || !/^\d{2,3}$/.test(mnc)) throw new RadiusError(`${mcc}-${mnc} is not an MCC and MNC`)
  const [a, b, c] = [...mcc].map(Number) as [number, number, number]
  const [d, e, f = 15] = [...mnc].map(Number) as [number, number, number?]
  return Buffer.from([(b << 4) | a, (f << 4) | c, (e << 4) | d])
}

// The upper four bits of an ECI's and an NCI's first octet are spare.
const cellBits = { 0: 0, 2: 16, 4: 28, 5: 36 }

export const location: Kind<Location> = {
  name: 'location',
  read(bytes, from, to) {
    const layout = types.get(bytes[from] ?? -1)
    if (!layout || from >= to) return null
    const { type, area, cell, second_plmn } = layout
    const plmn = readPlmn(bytes, from + 1)
    const areaAt = from + 4
    const cellAt = areaAt + area + (second_plmn ? 3 : 0)
    if (!plmn || to < cellAt + cell) return null
    return {
      type,
      ...plmn,
      area: area === 0 ? null : bytes.readUIntBE(areaAt, area),
      cell: cell === 0 ? null : bytes.readUIntBE(cellAt, cell) % 2 ** cellBits[cell],
    }
  },
  write({ type, mcc, mnc, area, cell }) {
    const layout = layouts[type]
    const plmn = writePlmn(mcc, mnc)
    const number = (value: number | null, octets: number) => {
      const bytes = Buffer.alloc(octets)
      if (value === null || !Number.isInteger(value) || value < 0 || value >= 256 ** octets) throw new RadiusError(`${value} is no ${type}`)
      bytes.writeUIntBE(value, 0, octets)
      return bytes
    }
    const parts = [Buffer.from([layout.octet]), plmn]
    if (layout.area) parts.push(number(area, layout.area))
    if (layout.second_plmn) parts.push(plmn)
    if (layout.cell) parts.push(number(cell, layout.cell))
    return Buffer.concat(parts)
  },
}

/** Minutes east of UTC, summer time included (TS 29.061; the quarter-hours are swapped digits, bit 4 the sign). */
export const timeZone: Kind<number> = {
  name: 'time zone',
  read(bytes, from, to) {
    if (to - from !== 2) return null
    const octet = bytes[from]!
    const [tens, units] = [octet & 7, octet >> 4]
    if (units > 9 || bytes[from + 1]! > 3) return null
    return (octet & 8 ? -15 : 15) * (tens * 10 + units)
  },
  write(minutes) {
    const quarters = Math.abs(minutes) / 15
    if (!Number.isInteger(quarters) || quarters > 79) throw new RadiusError(`${minutes} minutes is no time zone`)
    return Buffer.from([((quarters % 10) << 4) | (minutes < 0 ? 8 : 0) | Math.floor(quarters / 10), 0])
  },
}

import * as z from 'zod/mini'
import { luhnDigit } from './iccid.ts'

/** Which devices a SIM may be used in. */
export const imeiLocks = {
  off: 'Any device',
  watch: 'Any device, with an alert when it changes',
  lock: 'Accepted devices alone',
} as const
export type ImeiLock = keyof typeof imeiLocks
export const ImeiLock = z.enum(Object.keys(imeiLocks) as [ImeiLock, ...ImeiLock[]])

/** So many devices a SIM can be accepted in. */
export const mostImeis = 10

/** An IMEI as typed: 14 digits, 15 with the check digit, or 16 of an IMEISV. As it is kept: 15 digits. Null: it is none (3GPP TS 23.003 §6.2). */
export function parseImei(text: string): string | null {
  const digits = text.replaceAll(/[\s/-]/g, '')
  if (!/^\d{14,16}$/.test(digits)) return null
  const imei = digits.slice(0, 14) + luhnDigit(digits.slice(0, 14))
  return digits.length === 15 && digits !== imei ? null : imei
}

export const Imei = z.pipe(
  z.pipe(
    z.string().check(z.refine((text) => parseImei(text) !== null, 'Enter an IMEI: 15 digits with the check digit at the end')),
    z.transform((text: string) => parseImei(text)!)
  ),
  z.string()
)

/** The same device: the last of 15 digits is a check digit, which some leave out. */
const isSame = (a: string, b: string) => a.slice(0, 14) === b.slice(0, 14)

/** What decides whether a device is accepted: the mode that applies, and the IMEIs. With a lock and no IMEI, the first device is accepted. */
export type DeviceRule = { imei_lock: ImeiLock; imeis: readonly string[] }

/** Whether a SIM may be used in a device. */
export const acceptsDevice = ({ imei_lock, imeis }: DeviceRule, imei: string): boolean =>
  imei_lock !== 'lock' || imeis.length === 0 || imeis.some((one) => isSame(one, imei))

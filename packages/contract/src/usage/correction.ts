import { dayOf } from '../kernel/time.ts'
import * as z from 'zod/mini'
import { Bytes, Time } from '../kernel/fields.ts'
import { formatBytes } from './bytes.ts'

/** A day in UTC, `2026-11-03`. */
export const Day = z.iso
  .date({ error: 'Enter a day as 2026-11-03' })
  .check(z.refine((day) => day >= '2000' && day < '3000', 'Choose a day of this century'))

/** What staff add to a day of a SIM; below zero it is taken away. */
export type Change = { bytes_up: number; bytes_down: number }

/** A correction of what a SIM used on a day. Corrections are never changed: one is undone by another. */
export const Correction = z.object({
  id: z.string(),
  at: Time,
  /** E-mail of the member of staff. */
  by: z.string(),
  asset_id: z.string(),
  iccid: z.nullable(z.string()),
  day: Day,
  /** Bytes added; below zero they were taken away. */
  bytes_up: z.int(),
  bytes_down: z.int(),
  /** Of this network alone; null: of whichever the day's usage was in. */
  mccmnc: z.nullable(z.string()),
  rat: z.nullable(z.string()),
  reason: z.string(),
  /** The first day of the month it is billed in, where the day's own month was closed. */
  adjustment_month: z.nullable(Day),
  /** The correction that this one undoes, and the one that undid this one. */
  undoes: z.nullable(z.string()),
  undone_by: z.nullable(z.string()),
})
export type Correction = z.output<typeof Correction>

const BytesUpDown = z.object({ bytes_up: Bytes, bytes_down: Bytes })

/** What a correction would do. */
export const CorrectionPreview = z.object({
  /** Why it would be refused, in words. */
  refused: z.nullable(z.string()),
  /** Of the day: of the chosen network, or of all. */
  before: BytesUpDown,
  after: z.nullable(BytesUpDown),
  /** What the day's usage was in, the most first. Empty text where it is not known. */
  networks: z.array(z.object({ mccmnc: z.string(), name: z.nullable(z.string()), rat: z.string(), ...BytesUpDown.shape })),
  /** Of the running month, when the day is in it. */
  month: z.nullable(z.object({ bytes_before: Bytes, bytes_after: z.nullable(Bytes), limit_bytes: z.nullable(Bytes) })),
  /** What becomes of the block of the data limit: lifted, set, kept, or there is none. */
  block: z.enum(['lifted', 'set', 'kept', 'none']),
  /** As in a correction. */
  adjustment_month: z.nullable(Day),
})
export type CorrectionPreview = z.output<typeof CorrectionPreview>

/** How far back days can be corrected. */
export const correctionReachDays = 400
/** Added at once at most, each way: what a line of 2 Gbit/s carries in a day. */
export const mostAdded = 21_600_000_000_000

const dayMs = 86_400_000
const openAfterEnd = 72 * 3_600_000 // a month closes so long after its end (product: Time)

const monthAfter = (month: Date) => new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1))

/** The month that a correction of a day is billed in, as an adjustment: the first one after its own that is still open. Null: its own is open. */
export function adjustmentMonth(day: string, now: Date): string | null {
  const own = new Date(`${day.slice(0, 7)}-01`)
  let month = own
  while (monthAfter(month).getTime() + openAfterEnd <= now.getTime()) month = monthAfter(month)
  return month === own ? null : dayOf(month)
}

/** The first and the last day that can be corrected of a SIM that is known since `since`. */
export function correctableDays(since: Date, now: Date): { first: string; last: string } {
  return { first: dayOf(Math.max(since.getTime(), now.getTime() - correctionReachDays * dayMs)), last: dayOf(now.getTime()) }
}

const signed = (bytes: number) => `${bytes < 0 ? '−' : '+'}${formatBytes(Math.abs(bytes))}`

/** "−1.2 GB", or "+3 MB up and −1 MB down" where the two go different ways. */
export const changeWords = ({ bytes_up, bytes_down }: Change): string =>
  bytes_up * bytes_down < 0 ? `${signed(bytes_up)} up and ${signed(bytes_down)} down` : signed(bytes_up + bytes_down)

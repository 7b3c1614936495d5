import * as z from 'zod/mini'
import { Bytes, Time } from '../kernel/fields.ts'
import { Network } from '../networks/network.ts'
import { Micros } from './money.ts'
import { RoundingScopeField } from './tariff.ts'

/** So many records of an entry are shown. */
export const mostRecords = 200

/** What a SIM used on a day in a network, and what that costs. `settled_micros`: what of it is in the ledger by now, in this entry and in others. */
export const ChargedDay = z.object({
  day: z.iso.date(),
  network: Network,
  bytes: Bytes,
  billed_bytes: Bytes,
  charged_micros: Micros,
  settled_micros: Micros,
})
export type ChargedDay = z.output<typeof ChargedDay>

export const ChargedRecord = z.object({
  event_at: Time,
  session_id: z.string(),
  network: Network,
  rat: z.string(),
  bytes_up: Bytes,
  bytes_down: Bytes,
})
export type ChargedRecord = z.output<typeof ChargedRecord>

/** From what an entry of usage was computed. */
export const TransactionUsage = z.object({
  /** The price of a megabyte of kb² bytes, and what bytes are rounded up to before. */
  price_micros: Micros,
  kb: z.int(),
  block_bytes: z.int(),
  rounding_scope: RoundingScopeField,
  /** The day on which usage of a closed month was reported, where it was late. */
  days: z.array(ChargedDay),
  /** What the SIM reported until the end of the entry, the oldest first; a record that passes midnight is part of both days. */
  records: z.array(ChargedRecord).check(z.maxLength(mostRecords)),
  total: z.int(),
  /** Records of before are not kept any more; null: all are. */
  records_since: z.nullable(Time),
})
export type TransactionUsage = z.output<typeof TransactionUsage>

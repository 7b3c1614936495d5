import * as z from 'zod/mini'
import { LedgerTransaction } from './ledger.ts'

/**
 * What a SIM used on a day in a network at one price, as far as it is not in the ledger yet: the entry that it would be now. Its `id` is none of the ledger; once all
 * of it is settled nothing is found by it.
 */
export const PendingCharge = z.pick(LedgerTransaction, {
  id: true,
  sub_type: true,
  amount_micros: true,
  description: true,
  source: true,
  usage_from: true,
  usage_to: true,
  quantity: true,
  unit: true,
  unit_price_micros: true,
  zone: true,
  zone_name: true,
  tariff_version: true,
  price_list: true,
  kb: true,
  asset_id: true,
  asset_name: true,
  sim_id: true,
})
export type PendingCharge = z.output<typeof PendingCharge>

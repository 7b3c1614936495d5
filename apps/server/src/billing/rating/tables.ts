import type { Defaulted } from '../../kernel/database/database.ts'

export type ChargeSource = 'payg' | 'pool_overage'
/** By what something is priced. */
export type RateKey = { tariff_id: string; number: number; from_day: string; zone_id: string; source: ChargeSource }

declare module '../../kernel/database/database.ts' {
  interface Database {
    charge_scope: RateKey & {
      account_id: string
      sim_id: string
      month: string
      scope: string
      bytes: number
      charged_micros: number
    }
    charge: RateKey & {
      account_id: string
      sim_id: string
      day: string
      mccmnc: string
      is_late: boolean
      price_micros: number
      bytes: number
      billed_bytes: number
      charged_micros: number
      used_from: Date
      used_to: Date
      /** Of how many records it is. */
      records: Defaulted<number | null>
      summed_bytes: Defaulted<number>
      summed_micros: Defaulted<number>
      settled_bytes: Defaulted<number>
      settled_micros: Defaulted<number>
      settlements: Defaulted<number>
      is_open: Defaulted<boolean>
    }
  }
}

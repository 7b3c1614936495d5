import type { Defaulted } from '../../kernel/database/database.ts'
import type { FeeKind } from './charge-fees.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    charge_account: {
      account_id: string
      unsettled_micros: Defaulted<number>
      at_zero: Defaulted<'stop' | 'go_on'>
      used_up_at: Defaulted<Date | null>
      has_free_data: Defaulted<boolean>
    }
    sim_fee: { account_id: string; month: string; kind: FeeKind; sim_id: string; micros: number; charged_at: Date }
    cost_month: { account_id: string; month: string; kind: string; country: string; micros: number; bytes: number }
    cost_zone: {
      account_id: string
      month: string
      kind: string
      tariff_id: string
      number: number
      zone_id: string
      micros: number
      bytes: number
    }
    cost_sim: { account_id: string; month: string; sim_id: string; kind: string; micros: number; bytes: number }
  }
}

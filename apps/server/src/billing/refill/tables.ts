import type { PriceAction } from '@masthead/contract/billing/cost-limits/cost-limits'
import type { BalanceLevel, RefillMode } from '@masthead/contract/billing/refill/refill'
import type { Defaulted } from '../../kernel/database/database.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    balance_rule: {
      account_id: string
      warn_micros: Defaulted<number | null>
      urgent_micros: Defaulted<number | null>
      most_price_micros: Defaulted<number | null>
      price_action: Defaulted<PriceAction>
      price_since: Defaulted<Date | null>
      price_followed: Defaulted<Date | null>
      sim_day_micros: Defaulted<number | null>
      told: Defaulted<BalanceLevel | null>
      refill_on: Defaulted<boolean>
      refill_mode: Defaulted<RefillMode | null>
      refill_below_micros: Defaulted<number | null>
      refill_amount_micros: Defaulted<number | null>
      refill_month_limit_micros: Defaulted<number | null>
      refill_armed_at: Defaulted<Date | null>
      refill_asked_at: Defaulted<Date | null>
      refill_limit_month: Defaulted<string | null>
      refill_stopped_words: Defaulted<string | null>
    }
  }
}

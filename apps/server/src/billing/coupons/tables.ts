import type { Coupon } from '@masthead/contract/billing/coupons/coupon'
import type { Defaulted } from '../../kernel/database/database.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    coupon: {
      id: string
      code: string
      kind: Coupon['kind']
      currency: string
      amount_micros: number
      percent: number | null
      credit_days: number | null
      expires_at: Date | null
      most_uses: number | null
      uses: Defaulted<number>
      created_at: Date
      created_by: string
      creator_account_id: Defaulted<string | null>
      ended_at: Defaulted<Date | null>
    }
    coupon_use: {
      account_id: string
      coupon_id: string
      used_at: Date
      used_by: string
      given_micros: Defaulted<number | null>
      given_at: Defaulted<Date | null>
      transaction_id: Defaulted<string | null>
    }
  }
}

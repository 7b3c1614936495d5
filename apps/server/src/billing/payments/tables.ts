import type { TopUp } from '@masthead/contract/billing/top-up'
import type { Defaulted } from '../../kernel/database/database.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    pay_back: {
      account_id: string
      id: string
      top_up_id: string
      amount_micros: number
      reason: string
      asked_by: string
      asked_at: Date
      state: 'asked' | 'done' | 'failed'
      words: Defaulted<string | null>
    }
    top_up: {
      account_id: string
      id: string
      state: TopUp['state']
      amount_micros: number
      currency: string
      source: TopUp['source']
      method_id: string
      card_name: string
      provider_id: Defaulted<string | null>
      client_secret: Defaulted<string | null>
      hosted_url: Defaulted<string | null>
      words: Defaulted<string | null>
      begun_by: string
      begun_at: Date
      ended_at: Defaulted<Date | null>
      transaction_id: Defaulted<string | null>
      refunded_micros: Defaulted<number>
      tax_micros: Defaulted<number>
      tax_words: Defaulted<string | null>
      refunded_tax_micros: Defaulted<number>
      disputed_at: Defaulted<Date | null>
      disputed_micros: Defaulted<number>
      looks: Defaulted<number>
      looked: Defaulted<number>
      seen_event: Defaulted<string | null>
    }
  }
}

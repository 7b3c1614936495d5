import type { CardSetup } from '@masthead/contract/billing/card'
import type { Defaulted } from '../../kernel/database/database.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    card_customer: { account_id: string; provider_id: string; made_at: Date }
    card: {
      account_id: string
      id: string
      provider_id: string
      brand: string
      last_four: string
      exp_month: number
      exp_year: number
      is_default: boolean
      added_by: string | null
      added_at: Date
    }
    card_setup: {
      account_id: string
      id: string
      state: CardSetup['state']
      provider_id: string | null
      /** For the browser, which shows the provider that it is about this form. It can do nothing else, and is gone once that is used. */
      client_secret: string | null
      /** The form is on a page of the provider, whose id is `provider_id`. */
      is_hosted: Defaulted<boolean>
      hosted_url: Defaulted<string | null>
      card_id: string | null
      words: string | null
      begun_by: string | null
      begun_at: Date
    }
  }
}

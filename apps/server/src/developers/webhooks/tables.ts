import type { ColumnType } from 'kysely'
import type { Attempt, DeliveryState } from '@masthead/contract/developers/webhook'
import type { Defaulted } from '../../kernel/database/database.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    webhook: {
      account_id: string
      id: string
      name: string
      url: string
      events: string[]
      tags: string[]
      sealed_secret: string
      previous_sealed_secret: Defaulted<string | null>
      previous_secret_ends_at: Defaulted<Date | null>
      created_by: string
      created_key: Defaulted<string | null>
      created_at: Defaulted<Date>
      disabled_at: Defaulted<Date | null>
      disabled_because: Defaulted<'person' | 'failures' | null>
      failures: Defaulted<number>
      failing_since: Defaulted<Date | null>
      next_try_at: Defaulted<Date | null>
      last_delivered_at: Defaulted<Date | null>
      usage_until: Defaulted<Date | null>
    }
    webhook_delivery: {
      account_id: string
      id: string
      webhook_id: string
      event_id: string | null
      type: string
      state: DeliveryState
      created_at: Date
      due_at: Date | null
      done_at: Defaulted<Date | null>
      tries: Defaulted<number>
      round_tries: Defaulted<number>
      attempts: ColumnType<Attempt[], string | undefined, string>
    }
  }
}

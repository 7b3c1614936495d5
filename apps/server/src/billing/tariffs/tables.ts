import type { RoundingScope } from '@masthead/contract/billing/rating'
import type { SimFees } from '@masthead/contract/billing/tariff'
import type { ColumnType } from 'kysely'
import type { Defaulted } from '../../kernel/database/database.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    tariff: {
      id: string
      name: string
      currency: string
      is_standard: Defaulted<boolean>
      /** The highest number that a version was given. */
      last_number: Defaulted<number>
      created_at: Date
      created_by: string
    }
    tariff_version: {
      tariff_id: string
      number: number
      effective_from: string
      block_bytes: number
      rounding_scope: RoundingScope
      kb: number
      fees: ColumnType<SimFees, string, string>
      created_at: Date
      created_by: string
    }
    tariff_zone: { tariff_id: string; number: number; id: string; place: number; name: string; price_micros: number }
    tariff_network: { tariff_id: string; number: number; network: string; zone_id: string }
    account_tariff: {
      account_id: string
      from_day: string
      tariff_id: string | null
      own_prices: ColumnType<Record<string, number>, string, string>
      /** The version after the valid one that the account was notified of. */
      announced: Defaulted<number | null>
      assigned_at: Date
      assigned_by: string
    }
  }
}

import type { GrantKind, LedgerAccount, LedgerSource, LedgerType } from '@masthead/contract/billing/ledger'
import type { Defaulted, Json } from '../../kernel/database/database.ts'
import type { Difference } from './differences.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    billing_account: {
      account_id: string
      currency: string
      enabled_at: Date
      enabled_by: string
      balance_micros: Defaulted<number>
      limit_micros: Defaulted<number>
      posted: Defaulted<number>
      tax_name: Defaulted<string | null>
      tax_basis_points: Defaulted<number>
    }
    ledger_transaction: {
      account_id: string
      id: string
      key: string
      number: number
      type: LedgerType
      sub_type: string
      amount_micros: number
      balance_after_micros: number
      description: string
      reason: string | null
      actor: string
      source: LedgerSource
      effective_at: Date
      posted_at: Date
      usage_from: Date | null
      usage_to: Date | null
      quantity: number | null
      unit: string | null
      unit_price_micros: number | null
      zone: string | null
      tariff_version: string | null
      asset_id: string | null
      sim_id: string | null
      pool_id: string | null
      payment_id: string | null
      corrects: string | null
    }
    ledger_entry: { account_id: string; transaction_id: string; line: number; ledger_account: LedgerAccount; amount_micros: number }
    ledger_grant: {
      account_id: string
      transaction_id: string
      kind: GrantKind
      amount_micros: number
      remaining_micros: number
      priority: number
      expires_at: Date | null
    }
    ledger_proof: {
      id: string
      started_at: Date
      ended_at: Date
      accounts: number
      transactions: number
      differences: Json<Difference[]>
      found: Defaulted<number | null>
    }
  }
}

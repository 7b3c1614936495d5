import type { Defaulted } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    usage_coverage: { single: Defaulted<boolean>; records_since: Date; sessions_since: Defaulted<Date | null> }
    usage_correction: {
      account_id: string
      id: string
      sim_id: string
      asset_id: string
      /** `2026-11-03`, in UTC */
      day: string
      bytes_up: number
      bytes_down: number
      mccmnc: string | null
      rat: string | null
      reason: string
      by_email: string
      created_at: Date
      adjustment_month: string | null
      undoes: string | null
    }
    enforcement: {
      account_id: string
      id: string
      sim_id: string
      asset_id: string
      period_start: string
      limit_bytes: number
      reached_at: Date
      cut_at: Date | null
      overshoot_bytes: number
      lifted_at: Date | null
    }
  }
}

import type { Defaulted } from '../kernel/database/database.ts'
import type { OveragePolicy, PoolKind } from '@masthead/contract/datapools/package'

type TermKey = { account_id: string; pool_id: string; starts_at: Date }

declare module '../kernel/database/database.ts' {
  interface Database {
    data_package: {
      id: string
      name: string
      kind: PoolKind
      size_bytes: number
      zone: string | null
      validity_count: number
      validity_unit: 'day' | 'month'
      price_micros: number
      currency: string
      overage_policy: OveragePolicy
      overage_percent: number | null
      max_sims: number | null
      prorate_first: boolean
      created_at: Date
      created_by: string
      retired_at: Date | null
    }
    data_pool: {
      account_id: string
      id: string
      name: string
      package_id: string
      kind: PoolKind
      unit_bytes: number
      zone: string | null
      validity_count: number
      validity_unit: 'day' | 'month'
      price_micros: number
      currency: string
      max_sims: number | null
      prorate_first: boolean
      overage_policy: OveragePolicy
      overage_percent: number | null
      thresholds: Defaulted<number[]>
      priority: Defaulted<number>
      auto_renew: boolean
      bought: Defaulted<boolean>
      term_starts_at: Date
      opened_at: Date
      opened_by: string
      ended_at: Date | null
    }
    data_pool_term: TermKey & {
      ends_at: Date
      size_bytes: number
      price_micros: number
      used_up_at: Date | null
      exhausted_at: Date | null
      notified: Defaulted<number[]>
      paid_by: Defaulted<string | null>
      paid_micros: Defaulted<number>
      paid_size_bytes: Defaulted<number>
    }
    data_pool_asset: { account_id: string; pool_id: string; asset_id: string; added_at: Date }
    data_pool_tag: { account_id: string; pool_id: string; tag_id: string }
    data_pool_sim: { account_id: string; sim_id: string; pool_id: string; joined_at: Defaulted<Date> }
    /** Stays that have ended. */
    data_pool_left: { account_id: string; sim_id: string; pool_id: string; joined_at: Date; left_at: Date }
    data_pool_counter: TermKey & { part: number; within_bytes: Defaulted<number>; over_bytes: Defaulted<number> }
    data_pool_day: TermKey & { day: string; part: number; bytes: Defaulted<number>; over_bytes: Defaulted<number> }
    data_pool_usage: TermKey & {
      sim_id: string
      iccid: string | null
      bytes: Defaulted<number>
      over_bytes: Defaulted<number>
      brought_bytes: Defaulted<number>
    }
  }
}

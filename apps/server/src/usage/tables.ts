import type { LimitPeriod } from '@masthead/contract/assets/sim'
import type { Defaulted, Kept } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    usage_coverage: {
      single: Defaulted<boolean>
      records_since: Date
      sessions_since: Defaulted<Date | null>
      /** Of the records that were dropped the last transaction. */
      dropped_xid: Defaulted<string | null>
    }
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
    /** Of one SIM, of each SIM of a group, or of all SIMs of a pool together. */
    usage_limit: {
      account_id: string
      id: string
      sim_id: Defaulted<string | null>
      group_id: Defaulted<string | null>
      pool_id: Defaulted<string | null>
      period: LimitPeriod
      bytes: number
      /** In the one period that begins on that day. */
      raised_bytes: Defaulted<number | null>
      raised_period: Defaulted<string | null>
      /** Of a pool: when it was used up, in the period that begins on that day. */
      reached_at: Defaulted<Date | null>
      reached_period: Defaulted<string | null>
      /** It is there for a raise alone, and goes with it. */
      only_raise: Defaulted<boolean>
      created_at: Defaulted<Date>
      /** `alert`: a SIM that reaches it goes on, and that is notified. */
      action: Defaulted<'block' | 'alert'>
    }
    /** The limit that applies to a SIM: its own, else its group's. */
    sim_limit: {
      account_id: Kept<string>
      sim_id: Kept<string>
      limit_id: Kept<string>
      period: Kept<LimitPeriod>
      bytes: Kept<number>
      raised_bytes: Kept<number | null>
      raised_period: Kept<string | null>
      /** Whose it is; a raise of a group's for one SIM is the group's still. */
      scope: Kept<'sim' | 'group'>
      action: Kept<'block' | 'alert'>
      /** Whose limit it is; null: its own. */
      group_id: Kept<string | null>
    }
    /** What was reported of a day more than an hour after it was over. */
    usage_late: { account_id: string; day: string; sim_id: string; bytes: number; last_at: Date }
    /** Hours in which a SIM that should work was not as usual. */
    sim_lapse: { account_id: string; sim_id: string; state: 'silent' | 'refused' | 'blocked'; start: Date; until: Date }
    account_work_hour: { account_id: string; hour: Date; should: number; works: number }
    /** `until`: the first hour that is not judged of all its SIMs. */
    account_judged: { account_id: string; until: Date; after_sim: Defaulted<string> }
    pool_counter: { account_id: string; limit_id: string; period_start: string; part: number; bytes: number }
    enforcement: {
      account_id: string
      id: string
      sim_id: string
      asset_id: string
      /** `term`: of a data pool. `credits`: none were left. */
      period: Defaulted<LimitPeriod | 'term' | 'credits'>
      period_start: string
      limit_bytes: number
      reached_at: Date
      cut_at: Date | null
      overshoot_bytes: number
      lifted_at: Date | null
      /** What was counted when it was reached. */
      used_bytes: Defaulted<number | null>
      /** Not a report reached it: it was set below what was used, or its SIM came under it. */
      by_change: Defaulted<boolean>
      /** Whose limit it was; null: the SIM's own. */
      group_name: Defaulted<string | null>
      pool_id: Defaulted<string | null>
      pool_name: Defaulted<string | null>
      /** What its SIM had used in all when its pool gave nothing more, or no credits were left. */
      base_bytes: Defaulted<number | null>
      /** The first session that its gateway was asked to end, when, and how that went so far. */
      session_id: Defaulted<string | null>
      asked_at: Defaulted<Date | null>
      answered_at: Defaulted<Date | null>
      answer: Defaulted<'ack' | 'nak' | 'gone' | 'timeout' | null>
      answer_words: Defaulted<string | null>
      attempts: Defaulted<number | null>
    }
  }
}

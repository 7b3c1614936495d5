import type { Severity } from '@masthead/contract/notifications/alert'
import type { LimitPeriod } from '@masthead/contract/assets/sim'
import type { RuleMetric } from '@masthead/contract/notifications/rule'
import type { RuleAction, RuleLasts, RuleStarts } from '@masthead/contract/notifications/rule-action'
import type { Defaulted } from '../../kernel/database/database.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    alert_rule: {
      account_id: string
      id: string
      name: string
      metric: RuleMetric
      threshold: number
      countries: Defaulted<string[]>
      scope: string
      view_id: Defaulted<string | null>
      severity: Severity
      action: RuleAction
      more_actions: Defaulted<RuleAction[]>
      network_group_id: string | null
      limit_bytes: Defaulted<number | null>
      limit_period: Defaulted<LimitPeriod>
      starts: Defaulted<RuleStarts>
      lasts: Defaulted<RuleLasts>
      person_id: Defaulted<string | null>
      key_id: Defaulted<string | null>
      after_minutes: number
      cooldown_days: number
      most_sims: number
      enabled_at: Date | null
      silenced_until: Defaulted<Date | null>
      created_at: Date
      created_by: string
      looked_at: Defaulted<Date | null>
      failed_words: Defaulted<string | null>
      deleted_at: Defaulted<Date | null>
    }
    alert_rule_firing: {
      account_id: string
      id: string
      rule_id: string
      asset_id: string | null
      sim_id: string | null
      pool_id: Defaulted<string | null>
      day: string
      value: number
      at: Date
      /** What is done to the SIM; null: nothing, or what the rule says. */
      action: Defaulted<RuleAction | null>
      /** Beside the first action of the rule, which is the firing itself. */
      further: Defaulted<boolean>
      act_at: Date | null
      acted_at: Defaulted<Date | null>
      outcome: Defaulted<string | null>
      before: Defaulted<unknown>
      undone_at: Defaulted<Date | null>
      undone_by: Defaulted<string | null>
      undo_at: Defaulted<Date | null>
      undo_left: Defaulted<string | null>
      tried_at: Defaulted<Date | null>
    }
  }
}

import type { AlertSource, Severity } from '@masthead/contract/notifications/alert'
import type { Defaulted } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    alert: {
      account_id: string
      id: string
      cause: string
      severity: Severity
      source: AlertSource
      audience: 'members' | 'owner'
      permission: string | null
      asset_id: string | null
      link: string | null
      actor_email: string | null
      title: string
      words: string
      lasting: boolean
      first_at: Date
      last_at: Date
      count: Defaulted<number>
      acknowledged_at: Date | null
      acknowledged_by: string | null
      resolved_at: Date | null
      resolved_words: string | null
    }
    alert_firing: { account_id: string; told_by: string; cause: string; alert_id: string; at: Date }
    alert_read: { account_id: string; alert_id: string; person_id: string; read_at: Date }
    notification_preference: {
      account_id: string
      person_id: string
      in_app: Defaulted<Severity[]>
      mail: Defaulted<Severity[]>
      webhook: Defaulted<Severity[]>
      muted: Defaulted<AlertSource[]>
      quiet_from: number | null
      quiet_to: number | null
      daily_at: number | null
      timezone: string | null
      urgent: Defaulted<boolean>
      cooldown_minutes: Defaulted<number>
    }
    alert_delivery: {
      account_id: string
      alert_id: string
      person_id: string
      channel: 'mail' | 'webhook'
      firing: number
      cause: string
      due_at: Date
      sent_at: Date | null
      dropped_at: Date | null
    }
  }
}

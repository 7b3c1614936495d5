import type { Every, ReportFilter, ReportFormat, ReportKind, ReportState, ScheduleState } from '@masthead/contract/reports/report'
import type { Actor } from '../kernel/app.ts'
import type { Defaulted, Json } from '../kernel/database/database.ts'

/** Who asked, as far as it must be known once they are not there any more. */
export type Maker = Pick<Actor, 'kind' | 'email' | 'person_id' | 'key' | 'ip' | 'request_id'>

declare module '../kernel/database/database.ts' {
  interface Database {
    report: {
      account_id: string
      id: string
      name: string
      kind: ReportKind
      format: ReportFormat
      state: Defaulted<ReportState>
      /** `2026-11-03`, in its time zone. */
      start_day: string | null
      end_day: string | null
      timezone: string
      filter: Json<ReportFilter>
      maker: Json<Maker>
      person_id: string
      sight: Defaulted<string[]>
      recipients: string[]
      schedule_id: string | null
      run: Defaulted<number>
      tries: Defaulted<number>
      held_until: Defaulted<Date | null>
      rows: Defaulted<number>
      share: Defaulted<number | null>
      bytes: Defaulted<number | null>
      sha256: Defaulted<string | null>
      failure: Defaulted<string | null>
      created_at: Date
      started_at: Defaulted<Date | null>
      finished_at: Defaulted<Date | null>
      expires_at: Defaulted<Date | null>
    }
    report_schedule: {
      account_id: string
      id: string
      name: string
      kind: ReportKind
      format: ReportFormat
      every: Every
      hour: number
      timezone: string
      filter: Json<ReportFilter>
      maker: Json<Maker>
      person_id: string
      recipients: string[]
      state: Defaulted<ScheduleState>
      stopped_because: Defaulted<string | null>
      next_at: Date | null
      created_at: Date
    }
    report_link: { hash: Buffer; account_id: string; report_id: string; to_email: string; expires_at: Date }
  }
}

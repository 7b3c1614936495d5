import type { Defaulted, Json } from '../kernel/database/database.ts'

type Row = Record<string, unknown>

declare module '../kernel/database/database.ts' {
  interface Database {
    staff_log: {
      id: string
      at: Date
      staff_email: string
      person_id: string | null
      stay_id: string | null
      action: string
      account_id: string | null
      account_email: string | null
      asset_id: string | null
      target: string | null
      reason: string | null
      result: 'ok' | 'refused'
      failure: string | null
      detail: Json<Row>
      before: Json<Row> | null
      after: Json<Row> | null
      ip: string | null
      request_id: string | null
    }
    backoffice_stay: {
      id: string
      person_id: string
      /** Null: that session is over. */
      session_id: string | null
      reason: string
      ip: string | null
      started_at: Defaulted<Date>
      expires_at: Date
      ended_at: Date | null
    }
    account_note: { account_id: string; id: string; by_email: string; text: string; created_at: Date }
    staff_view: { session_id: string; account_id: string; stay_id: string; reason: string; started_at: Date; expires_at: Date }
    network_rate: {
      mccmnc: string
      /** `2026-12-01` */
      effective_from: string
      zone: string
      cost_micros: number
      price_micros: number
      set_by: string
      set_at: Defaulted<Date>
    }
  }
}

import type { Defaulted } from '../../kernel/database/database.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    account_export: {
      account_id: string
      id: string
      asked_at: Date
      done_at: Date | null
      failed_at: Date | null
      expires_at: Date | null
      row_count: Defaulted<number>
      bytes: Defaulted<number>
    }
    account_export_part: { account_id: string; export_id: string; number: number; lines: string }
    event_erased: { account_id: string; event_id: string; digest: Buffer; erased_at: Date }
  }
}

import type { Defaulted } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    api_key: {
      account_id: string
      id: string
      name: string
      scopes: string[]
      tags: Defaulted<string[]>
      addresses: Defaulted<string[]>
      expires_at: Date | null
      calls_per_minute: number
      disabled_at: Defaulted<Date | null>
      created_by: string
      created_at: Defaulted<Date>
      rotated_at: Defaulted<Date | null>
      last_used_at: Defaulted<Date | null>
      last_used_ip: Defaulted<string | null>
    }
    api_key_secret: {
      hash: Buffer
      account_id: string
      key_id: string
      prefix: string
      created_at: Defaulted<Date>
      expires_at: Date | null
    }
    api_key_window: { key_id: string; started_at: Date; taken: number }
  }
}

import type { Severity } from '@masthead/contract/registry/vulnerability'
import type { Defaulted, Json } from '../kernel/database/database.ts'
import type { Range } from './read-advisory.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    advisory_load: {
      id: string
      file_name: string
      loaded_at: Date
      loaded_by: string
      advisories: Defaulted<number>
      refused: Defaulted<number>
      current: Defaulted<boolean>
    }
    advisory: { load_id: string; id: string; aliases: string[]; summary: string; severity: Severity }
    advisory_affected: {
      load_id: string
      ecosystem: string
      name: string
      id: string
      n: number
      ranges: Json<Range[]>
      versions: string[]
    }
  }
}

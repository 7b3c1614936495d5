import type { BulkAction } from '@masthead/contract/assets/bulk/bulk-action'
import type { Actor } from '../../kernel/app.ts'
import type { Defaulted, Json } from '../../kernel/database/database.ts'
import type { NamedTag } from '../../tags/index.ts'
import type { Outcomes } from './outcome.ts'
import type { Params, Wish } from './wish.ts'

/** Who asked, as far as it must be known once they are not there any more. */
export type Asked = Pick<Actor, 'kind' | 'email' | 'person_id' | 'key' | 'tags' | 'ip' | 'request_id'>

declare module '../../kernel/database/database.ts' {
  interface Database {
    bulk_change: {
      account_id: string
      id: string
      action: BulkAction
      tags: Json<NamedTag[]>
      params: Json<Params> | Defaulted<never>
      undoes: Defaulted<string | null>
      actor: Json<Asked>
      started_at: Date
      total: Defaulted<number>
      parts_done: Defaulted<number>
      outcomes: Json<Outcomes> | Defaulted<never>
      finished_at: Date | null
    }
    bulk_change_part: {
      account_id: string
      bulk_id: string
      part: number
      asset_ids: string[]
      outcomes: string[] | null
      /** Of each asset, in the same order; null where all are changed alike. */
      wishes: Json<Wish[]> | null
      before: Json<(Wish | null)[]> | null
    }
  }
}

import type { Technology } from '@masthead/contract/networks/network'
import type { Defaulted } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    network_group: {
      account_id: string
      id: string
      name: string
      kind: Defaulted<'default' | 'built_in' | 'own'>
      /** Null: everywhere. */
      countries: Defaulted<string[] | null>
      networks: Defaulted<string[]>
      /** Null: all. */
      rats: Defaulted<Technology[] | null>
      apn: Defaulted<string | null>
      imei_lock: Defaulted<boolean>
      created_at: Defaulted<Date>
      updated_at: Defaulted<Date>
      updated_by: Defaulted<string | null>
    }
    /** That a SIM reached a limit that only notifies. */
    limit_notice: { account_id: string; sim_id: string; period: 'day' | 'month'; period_start: string; at: Date }
  }
}

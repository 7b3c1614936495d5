import type { AssetType } from '@masthead/contract/assets/asset'
import type { AssetSort } from '@masthead/contract/assets/asset-filter'
import type * as z from 'zod/mini'
import type { Defaulted } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    asset_list: { account_id: string; id: string; asset_ids: string[]; made_at: Date }
    asset_view: {
      account_id: string
      id: string
      name: string
      q: string
      sort: z.output<typeof AssetSort>
      columns: string[]
      shared: boolean
      person_id: string
      made_by: string
      updated_at: Date
    }
    asset_moving: {
      account_id: string
      asset_id: string
      sim_id: string | null
      period_start: string | null
      used: number | null
      seen_at: Date | null
      mccmnc: string | null
    }
    asset_place: {
      account_id: string
      asset_id: string
      since: Date
      until: Defaulted<Date | null>
      latitude: number
      longitude: number
      set_by: string
    }
    /** `all_at`: of when the newest copy is that has a row of each asset. */
    asset_moving_copy: { account_id: string; copied_at: Date; all_at: Date | null }
    inventory: {
      serial: string
      type: AssetType
      iccid: string | null
      imsis: Defaulted<string[]>
      msisdn: string | null
      eid: string | null
      imei: string | null
      loaded_at: Defaulted<Date>
      released_at: Defaulted<Date | null>
      account_id: string | null
      asset_id: string | null
      registered_at: Date | null
      /** Handed over: who may register it, and whose it was. */
      reserved_for: Defaulted<string | null>
      released_by: Defaulted<string | null>
      /** By whoever had it before. */
      is_used: Defaulted<boolean>
      is_terminated: Defaulted<boolean>
    }
  }
}

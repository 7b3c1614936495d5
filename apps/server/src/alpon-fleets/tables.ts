import type { Defaulted } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    fleet: {
      account_id: string
      id: string
      name: string
      pilot_asset_id: Defaulted<string | null>
      created_at: Date
      updated_at: Date
      updated_by: string | null
    }
    fleet_asset: { account_id: string; asset_id: string; fleet_id: string; added_at: Date }
  }
}

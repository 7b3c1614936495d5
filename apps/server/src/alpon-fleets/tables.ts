import type { RolloutDeviceState, RolloutPlan, RolloutState, RolloutTry } from '@masthead/contract/alpon-fleets/rollout'
import type { ContainerSpec } from '@masthead/contract/devices/agent/application'
import type { Defaulted, Json } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    fleet: {
      account_id: string
      id: string
      name: string
      pilot_asset_id: Defaulted<string | null>
      /** The version that whoever joins gets. */
      version: Defaulted<number | null>
      created_at: Date
      updated_at: Date
      updated_by: string | null
    }
    fleet_asset: { account_id: string; asset_id: string; fleet_id: string; added_at: Date }
    fleet_version: {
      account_id: string
      fleet_id: string
      version: number
      id: string
      pilot_name: string
      containers: Json<ContainerSpec[]>
      /** Null: it says nothing of the network. */
      network: Json<{ priority: string[] | null; apn: { name: string; user: string | null } | null }> | null
      /** `{ container: { name: value } }` as JSON, encrypted, and `{ "@network": { apn_password } }`, which is the name of no container. */
      sealed_secrets: string
      changes: string[]
      note: string | null
      created_at: Date
      created_by: string
    }
    rollout: {
      account_id: string
      id: string
      fleet_id: string
      version: number
      plan: Json<RolloutPlan>
      state: RolloutState
      started_at: Date
      started_by: string
      /** The pilot of the fleet when it began. */
      pilot_asset_id: Defaulted<string | null>
      /** When it had run the version for the time of the plan. */
      pilot_passed_at: Defaulted<Date | null>
      resumed_at: Defaulted<Date | null>
      finished_at: Defaulted<Date | null>
    }
    rollout_device: {
      account_id: string
      rollout_id: string
      asset_id: string
      phase: number
      state: RolloutDeviceState
      attempts: Defaulted<number>
      revision: Defaulted<number | null>
      started_at: Defaulted<Date | null>
      settled_at: Defaulted<Date | null>
      error: Defaulted<string | null>
      steady_since: Defaulted<Date | null>
      steady_of: Defaulted<string | null>
      /** Somebody had the version brought to it outside the phases: once more, or because it joined the fleet of a rollout that had finished. */
      restored: Defaulted<boolean>
      /** Who had it brought, or tried again, by their address; null: whoever started the rollout. */
      brought_by: Defaulted<string | null>
    }
    rollout_try: {
      account_id: string
      rollout_id: string
      asset_id: string
      started_at: Date
      ended_at: Date
      outcome: RolloutTry['outcome']
      words: string | null
    }
  }
}

import type { Window } from '@masthead/contract/alpon-fleets/rollout'
import type { Container } from '@masthead/contract/devices/agent/application'
import type { Defaulted, Json } from '../../kernel/database/database.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    claim_code: { account_id: string; asset_id: string; hash: Buffer; created_by: string; created_at: Date; expires_at: Date }
    agent_update: { account_id: string; device_id: string; id: string; version: string; asked_by: string; asked_at: Date }
    agent_rules: {
      account_id: string
      enabled: boolean
      maintenance_window: Json<Window> | null
      changed_at: Date
      changed_by: string
      failures: Defaulted<number>
      stopped_at: Defaulted<Date | null>
      stopped_version: Defaulted<string | null>
    }
    agent_update_try: {
      account_id: string
      device_id: string
      /** Of the `agent_update` that it began. */
      id: string
      version: string
      begun_at: Date
      settled_at: Defaulted<Date | null>
      outcome: Defaulted<'success' | 'failure' | null>
      words: Defaulted<string | null>
    }
    application: { account_id: string; asset_id: string; revision: Defaulted<number> }
    container: {
      account_id: string
      id: string
      asset_id: string
      name: string
      generation: number
      restart: number
      run: Container['run']
      image: string
      ports: Json<Container['ports']>
      volumes: Json<Container['volumes']>
      environment: Json<Container['environment']>
      /** `{ name: value }` as JSON, encrypted. */
      sealed_secrets: string
      restart_policy: Container['restart_policy']
      health: Json<NonNullable<Container['health']>> | null
      created_at: Date
      changed_at: Date
      changed_by: string
    }
    device_minute: {
      account_id: string
      device_id: string
      minute: Date
      cpu_pct: number | null
      memory_pct: number | null
      disk_pct: number | null
      temperature_c: number | null
    }
    device_hour: {
      account_id: string
      device_id: string
      hour: Date
      samples: number
      cpu_pct: number | null
      cpu_max_pct: number | null
      memory_pct: number | null
      disk_pct: number | null
      temperature_c: number | null
      temperature_max_c: number | null
    }
  }
}

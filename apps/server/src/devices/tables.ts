import type { Updatable } from '@masthead/contract/devices/maintenance'
import type { Reported } from '@masthead/contract/devices/device'
import type { DeviceKind } from '@masthead/contract/devices/device-kind'
import type { Defaulted, Json, Kept } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    broker: {
      name: string
      started_at: Date
      seen_at: Date
      clients: Defaulted<number>
      counters: Json<Record<string, number>>
      /** PEM of that which it made for itself. */
      certificate: Defaulted<string | null>
    }
    device: {
      account_id: string
      id: string
      asset_id: string
      kind: DeviceKind
      /** SHA-256 of the MQTT user name. */
      username_hash: Buffer
      password_hash: Buffer | null
      /** SHA-256 of the public key of a certificate by which an agent may sign in. */
      certificate_hash: Defaulted<Buffer | null>
      certificate_ends_at: Defaulted<Date | null>
      /** The token of a CORE device, encrypted. */
      sealed_token: string | null
      created_at: Date
      cut_at: Defaulted<Date | null>
      cut_by: Defaulted<string | null>
      online: Kept<boolean>
      since: Kept<Date | null>
      held_by: Kept<string | null>
      last_seq: Kept<number | null>
      /** Seconds since 1970, as the device says them. */
      last_ts: Kept<number | null>
      last_birth_at: Kept<Date | null>
      last_death_at: Kept<Date | null>
      last_seen_at: Kept<Date | null>
      last_ip: Kept<string | null>
      reported: Kept<Reported>
      reported_at: Kept<Date | null>
      desired: Json<Record<string, unknown>>
    }
    device_config: {
      account_id: string
      device_id: string
      id: string
      /** Seconds since 1970, of its own for each change of a device. */
      ts: number
      configs: Json<Record<string, unknown>>
      made_by: string
      created_at: Date
      published_at: Defaulted<Date | null>
      sent_at: Defaulted<Date | null>
      received_at: Defaulted<Date | null>
      acked_at: Defaulted<Date | null>
      withdrawn_at: Defaulted<Date | null>
    }
    device_maintenance: {
      account_id: string
      device_id: string
      services: Updatable[]
      beta: boolean
      made_by: string
      requested_at: Date
      versions: Json<Record<string, string | null>>
      status: string | null
      status_at: Date | null
    }
    device_directive: {
      account_id: string
      device_id: string
      id: string
      payload: Json<Record<string, unknown>>
      created_at: Date
      expires_at: Date
    }
  }
}

import type { WifiSecurity } from '@masthead/contract/devices/network/settings'
import type { Defaulted, Json } from '../../kernel/database/database.ts'

declare module '../../kernel/database/database.ts' {
  interface Database {
    device_network: {
      account_id: string
      asset_id: string
      generation: number
      priority: Json<string[]> | null
      apn: string | null
      apn_user: string | null
      has_apn_password: boolean
      pin_generation: number | null
      wifi: Json<{ ssid: string; security: WifiSecurity; hidden: boolean }[]> | null
      profile: string | null
      esim_job: Json<{ generation: number; do: 'add' | 'delete'; iccid: string | null }> | null
      /** `{ apn_password, pin, wifi: { ssid: password }, esim: { code, confirmation, name, apn }, apns: { iccid: APN } }` as JSON, encrypted. */
      sealed_secrets: string
      changed_at: Date
      changed_by: string
      sent_generation: number | null
      sent_at: Date | null
      undone_generation: Defaulted<number | null>
    }
  }
}

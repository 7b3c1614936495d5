import type { Defaulted } from '../kernel/database/database.ts'

/** What a one-time secret is good for. */
export type SecretPurpose =
  | 'second_step'
  | 'passkey_sign_in'
  | 'passkey_second_step'
  | 'passkey_proof'
  | 'passkey_registration'
  | 'password_reset'
  | 'email_change'
  | 'email_proof'

declare module '../kernel/database/database.ts' {
  interface Database {
    authenticator: {
      person_id: string
      sealed_secret: string
      started_at: Date
      confirmed_at: Date | null
      last_step: Defaulted<number>
    }
    recovery_code: { person_id: string; code_hash: Buffer; used_at: Defaulted<Date | null> }
    passkey: {
      id: string
      person_id: string
      credential_id: string
      public_key: Buffer
      counter: number
      transports: string[]
      synced: boolean
      name: string
      created_at: Date
      last_used_at: Defaulted<Date | null>
    }
    one_time_secret: {
      secret_hash: Buffer
      purpose: SecretPurpose
      person_id: string | null
      email: string | null
      created_at: Date
      expires_at: Date
      used_at: Defaulted<Date | null>
    }
  }
}

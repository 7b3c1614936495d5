import type { EndReason, TerminalSession, TerminalState } from '@masthead/contract/terminal/session'
import type { SupportEnd, SupportState } from '@masthead/contract/terminal/support'
import type { ConnectionResult, TunnelEnd, TunnelState } from '@masthead/contract/terminal/tunnel'
import type { Defaulted } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    terminal_session: {
      account_id: string
      id: string
      asset_id: string
      asset_name: string
      device_id: string
      kind: TerminalSession['kind']
      state: Defaulted<TerminalState>
      person_id: string
      opened_by: string
      client_ip: string | null
      cols: number
      rows: number
      requested_at: Date
      opened_at: Defaulted<Date | null>
      ended_at: Defaulted<Date | null>
      end_reason: Defaulted<EndReason | null>
      ended_by: Defaulted<string | null>
      words: Defaulted<string | null>
      answer: Defaulted<string | null>
      end_asked_by: Defaulted<string | null>
      bytes_in: Defaulted<number>
      bytes_out: Defaulted<number>
      held_by: Defaulted<string | null>
      held_until: Defaulted<Date | null>
      recording: Defaulted<TerminalSession['recording']>
      recording_until: Defaulted<Date | null>
      support_id: Defaulted<string | null>
      /** Addresses of others who had a window, and of those of them who had the keyboard. */
      watched_by: Defaulted<string[]>
      typed_by: Defaulted<string[]>
      /** Persons who gave the access code to be there, beside the one who opened it. */
      code_given_by: Defaulted<string[]>
    }
    terminal_code: {
      account_id: string
      asset_id: string
      code_hash: string
      set_by: string
      set_at: Date
    }
    tunnel: {
      account_id: string
      id: string
      asset_id: string
      asset_name: string
      device_id: string
      port: number
      address: string | null
      /** The port speaks TLS. */
      tls: Defaulted<boolean>
      /** Our port speaks TLS. */
      encrypted: Defaulted<boolean>
      sources: string[]
      minutes: number
      state: Defaulted<TunnelState>
      person_id: string
      opened_by: string
      opened_at: Date
      until: Date
      ended_at: Defaulted<Date | null>
      ended_by: Defaulted<string | null>
      end_reason: Defaulted<TunnelEnd | null>
      reached_at: Defaulted<string | null>
      own_port: Defaulted<number | null>
      session_id: Defaulted<string | null>
      url: Defaulted<string | null>
      told_at: Defaulted<Date | null>
      /** Of those that wait: no port was free when the device connected last. */
      no_port: Defaulted<boolean>
      held_by: Defaulted<string | null>
      held_until: Defaulted<Date | null>
      bytes_in: Defaulted<number>
      bytes_out: Defaulted<number>
      connections: Defaulted<number>
      connections_now: Defaulted<number>
      refused: Defaulted<number>
    }
    tunnel_connection: {
      account_id: string
      tunnel_id: string
      id: string
      at: Date
      ended_at: Date | null
      from_ip: string
      result: ConnectionResult
      words: string | null
      bytes_in: Defaulted<number>
      bytes_out: Defaulted<number>
    }
    support_access: {
      account_id: string
      id: string
      asset_id: string
      asset_name: string
      staff_person_id: string
      staff_email: string
      reason: string
      state: SupportState
      minutes: number
      standing: Defaulted<boolean>
      asked_at: Date
      allowed_at: Defaulted<Date | null>
      allowed_by: Defaulted<string | null>
      until: Date
      ended_at: Defaulted<Date | null>
      ended_by: Defaulted<string | null>
      end_reason: Defaulted<SupportEnd | null>
      words: Defaulted<string | null>
    }
  }
}

import type { Kept } from '../kernel/database/database.ts'

declare module '../kernel/database/database.ts' {
  interface Database {
    event_seal: { account_id: string; number: number; event_id: string; hash: Buffer }
    event_chain: { account_id: string; number: number; hash: Buffer; sealed_at: Date }
    /** `xid` says which transaction wrote the event. */
    event_unsealed: { account_id: string; event_id: string; xid: Kept<string> }
  }
}

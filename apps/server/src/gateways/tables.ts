import type { RefusedKind } from '@masthead/contract/backoffice/refused-sender-operations'

declare module '../kernel/database/database.ts' {
  interface Database {
    /** Who sent RADIUS and was not believed. */
    refused_sender: { address: string; kind: RefusedKind; packets: number; first_at: Date; last_at: Date }
  }
}

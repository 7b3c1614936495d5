import type { DocumentKind } from '@masthead/contract/billing/invoices/document'
import type { BillingProfile } from '@masthead/contract/billing/invoices/profile'
import type { Defaulted, Json } from '../../kernel/database/database.ts'

/** A line of a document: what, how much of it, and what that is, exactly. */
export type DocumentLine = { words: string; quantity: string | null; micros: number }
/** Whom it was made out to then. */
export type Recipient = Omit<BillingProfile, 'emails'> | { company: string; address: null }

declare module '../../kernel/database/database.ts' {
  interface Database {
    billing_profile: BillingProfile & { account_id: string; changed_at: Date; changed_by: string }
    billing_number: { kind: DocumentKind; year: number; last: number }
    billing_document: {
      account_id: string
      id: string
      kind: DocumentKind
      year: number
      n: number
      source: string
      issued_at: Date
      currency: string
      title: string
      month: string | null
      net_micros: number
      tax_micros: number
      tax_words: Defaulted<string | null>
      top_up_id: Defaulted<string | null>
      seller: string
      recipient: Json<Recipient>
      lines: Json<DocumentLine[]>
    }
    billing_month: { account_id: string; month: string; closed_at: Date; through_number: number; document_id: string | null }
  }
}

import type { GrantKind, LedgerAccount, LedgerSource, LedgerType } from '@masthead/contract/billing/ledger'
import type { Micros } from '@masthead/contract/billing/money'

/** What is to happen to the balance of an account. */
export type Posting = {
  account_id: string
  /** What it is known by on its account: posted again, it changes nothing and answers the same. */
  key: string
  type: LedgerType
  /** `topup`, `grant`, `payg_data`, `overage`, … */
  sub_type: string
  /** Added to the balance; below zero it is taken away. Never zero. */
  amount_micros: Micros
  /** Where it comes from or goes to. */
  against: Exclude<LedgerAccount, 'customer_balance' | 'tax'>
  /** Paid beside the amount, and owed to the state. */
  tax_micros?: Micros
  /** One line, for the customer. It names no asset: who does not see that would read it. */
  description: string
  actor: string
  source: LedgerSource
  reason?: string | null
  /** When it holds from; the time of posting where none is given. */
  effective_at?: Date
  usage_from?: Date | null
  usage_to?: Date | null
  /** In `unit`, such as bytes. */
  quantity?: number | null
  unit?: string | null
  unit_price_micros?: number | null
  zone?: string | null
  tariff_version?: string | null
  asset_id?: string | null
  sim_id?: string | null
  pool_id?: string | null
  payment_id?: string | null
  /** The transaction that this one takes back. What is taken away is taken from that credit first. */
  corrects?: string | null
  /** Of several credits: what is taken away is taken from these first, and not from the one that it corrects. */
  from?: readonly { transaction_id: string; amount_micros: number }[]
  /** How what it adds is spent; bought and without an end where nothing is said. */
  grant?: { kind: GrantKind; expires_at?: Date | null }
  /** It may be refused, as a purchase: then the balance must cover it. Usage that has happened may bring it below zero. */
  refusable?: boolean
  /** A refusal says the price and the balance: whoever asked may read both. */
  names_amounts?: boolean
}

/** What became of a posting. */
export type Posted = {
  account_id: string
  key: string
  id: string
  amount_micros: Micros
  balance_after_micros: Micros
  /** It was posted before. */
  repeated: boolean
}

/** Lower is spent first. */
export const priorityOf: Record<GrantKind, number> = { granted: 10, purchased: 50 }

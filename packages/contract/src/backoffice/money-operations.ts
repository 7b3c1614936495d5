import * as z from 'zod/mini'
import { AtZero, Balance, LedgerFilter, LedgerTransaction } from '../billing/ledger.ts'
import { TransactionUsage } from '../billing/transaction-usage.ts'
import { BillingDocument } from '../billing/invoices/document.ts'
import { billingOff, billingOnAlready, notCorrectable } from '../billing/ledger-problems.ts'
import { BillingCurrency } from '../billing/money.ts'
import { Tax } from '../billing/invoices/tax.ts'
import { TopUp, TopUpState } from '../billing/top-up.ts'
import { Email, listOf, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { ownAccount, staffMayMore } from './problems.ts'
import { Reason } from './reason.ts'

/** When the books of all accounts were last compared. */
export const LedgerProof = z.object({
  started_at: Time,
  ended_at: Time,
  accounts: z.int(),
  transactions: z.int(),
  /** How many things did not agree. */
  found: z.int(),
  /** The first of each account, a hundred at most, in words; with the account it is on. */
  differences: z.array(z.object({ account_id: z.string(), words: z.string() })),
})
export type LedgerProof = z.output<typeof LedgerProof>

/** A comparison by a job: asked for and not begun, under way, or given up, and since when. */
export const LedgerCheck = z.object({ state: z.enum(['waiting', 'running', 'failed']), since: Time })
export type LedgerCheck = z.output<typeof LedgerCheck>

export const getMoney = operation({
  name: 'backoffice.getMoney',
  method: 'GET',
  path: '/backoffice/accounts/{email}/money',
  summary: 'The balance of an account, and whether the books agree',
  access: 'manage_billing',
  reply: z.object({
    balance: z.nullable(Balance),
    /** Of all time: what was paid in, and what staff gave and did not take back. */
    paid_in_micros: z.int(),
    given_micros: z.int(),
    enabled_by: z.nullable(z.string()),
    /** Null until they were compared for the first time. */
    proof: z.nullable(LedgerProof),
    /** Null: none is asked for, and none failed since they were last compared. */
    check: z.nullable(LedgerCheck),
  }),
  problems: [notFound],
})

export const listCustomerTransactions = operation({
  name: 'backoffice.listCustomerTransactions',
  method: 'GET',
  path: '/backoffice/accounts/{email}/transactions',
  summary: 'Every credit and every charge of an account, newest first',
  access: 'manage_billing',
  query: z.extend(PageQuery, LedgerFilter.shape),
  reply: page(LedgerTransaction),
  problems: [notFound],
})

export const getCustomerTransactionUsage = operation({
  name: 'backoffice.getCustomerTransactionUsage',
  method: 'GET',
  path: '/backoffice/accounts/{email}/transactions/{any_transaction_id}/usage',
  summary: 'From which records, at which price and by which rounding a charge of an account was computed',
  access: 'manage_billing',
  reply: TransactionUsage,
  problems: [notFound],
})

export const listCustomerDocuments = operation({
  name: 'backoffice.listCustomerDocuments',
  method: 'GET',
  path: '/backoffice/accounts/{email}/documents',
  summary: 'Invoices, receipts and credit notes of an account, newest first',
  access: 'manage_billing',
  query: PageQuery,
  reply: page(BillingDocument),
  problems: [notFound],
})

export const exportCustomerDocument = operation({
  name: 'backoffice.exportCustomerDocument',
  method: 'GET',
  path: '/backoffice/accounts/{email}/documents/{any_document_id}/file',
  summary: 'An invoice, receipt or credit note of an account as PDF',
  access: 'manage_billing',
  gives: 'file',
  problems: [notFound],
})

/** By a job, since it reads all there is; what came of it is with the money of every account. While one waits or runs it is that one. */
export const checkLedger = operation({
  name: 'backoffice.checkLedger',
  method: 'POST',
  path: '/backoffice/ledger/check',
  summary: 'Compare the books of all accounts now',
  access: 'manage_billing',
  reply: LedgerCheck,
})

/** In one currency, which stays. */
export const switchBillingOn = operation({
  name: 'backoffice.switchBillingOn',
  method: 'POST',
  path: '/backoffice/accounts/{email}/billing',
  summary: 'Switch billing on for an account: what it uses is charged from then on',
  access: 'manage_billing',
  body: z.object({ currency: BillingCurrency, reason: Reason }),
  reply: Balance,
  problems: [notFound, billingOnAlready, ownAccount, staffMayMore],
})

const Amount = z
  .int({ error: 'Enter an amount' })
  .check(z.minimum(10_000, 'At least 0.01'), z.maximum(1_000_000_000_000, 'At most 1,000,000'))

export const giveCredit = operation({
  name: 'backoffice.giveCredit',
  method: 'POST',
  path: '/backoffice/accounts/{email}/credits',
  summary: 'Give an account credits',
  access: 'manage_billing',
  body: z.object({
    amount_micros: Amount,
    /** What is left then expires; null: it does not. */
    expires_at: z._default(z.nullable(Time), null),
    reason: Reason,
  }),
  reply: LedgerTransaction,
  problems: [notFound, billingOff, ownAccount, staffMayMore],
})

/** What is left of it; what was spent stays spent. */
export const voidCredit = operation({
  name: 'backoffice.voidCredit',
  method: 'POST',
  path: '/backoffice/accounts/{email}/transactions/{any_transaction_id}/void',
  summary: 'Take back what is left of credits that staff gave',
  access: 'manage_billing',
  body: z.object({ reason: Reason }),
  reply: LedgerTransaction,
  problems: [notFound, billingOff, notCorrectable, ownAccount, staffMayMore],
})

export const refundCharge = operation({
  name: 'backoffice.refundCharge',
  method: 'POST',
  path: '/backoffice/accounts/{email}/transactions/{any_transaction_id}/refund',
  summary: 'Give back what was charged, or a part of it, as credits',
  access: 'manage_billing',
  body: z.object({ amount_micros: Amount, reason: Reason }),
  reply: LedgerTransaction,
  problems: [notFound, billingOff, notCorrectable, ownAccount, staffMayMore],
})

/** SIMs follow within seconds. */
export const setAtZero = operation({
  name: 'backoffice.setAtZero',
  method: 'PUT',
  path: '/backoffice/accounts/{email}/at-zero',
  summary: 'Say what happens when an account has no credits left',
  access: 'manage_billing',
  body: z.object({ at_zero: AtZero, reason: Reason }),
  reply: Balance,
  problems: [notFound, billingOff, ownAccount, staffMayMore],
})

/** The card provider is asked in the background; the credits leave the balance once it has paid back. */
export const payBack = operation({
  name: 'backoffice.payBack',
  method: 'POST',
  path: '/backoffice/accounts/{email}/transactions/{any_transaction_id}/pay-back',
  summary: 'Pay credits that were bought, or a part of them, back to the card',
  access: 'manage_billing',
  body: z.object({
    amount_micros: Amount.check(z.refine((amount) => amount % 10_000 === 0, 'Use at most two decimals')),
    reason: Reason,
  }),
  reply: z.object({ amount_micros: z.int() }),
  problems: [notFound, billingOff, notCorrectable, ownAccount, staffMayMore],
})

/** Of payments from now on. */
export const setTax = operation({
  name: 'backoffice.setTax',
  method: 'PUT',
  path: '/backoffice/accounts/{email}/tax',
  summary: 'Say which tax is added to the payments of an account',
  access: 'manage_billing',
  body: z.object({ tax: z.nullable(Tax), reason: Reason }),
  reply: Balance,
  problems: [notFound, billingOff, ownAccount, staffMayMore],
})

/** A payment and whose it is. */
export const StaffPayment = z.extend(TopUp, { email: z.string(), team_name: z.string() })
export type StaffPayment = z.output<typeof StaffPayment>

/** Of one account, in any of the states, and those of which something was taken back. */
export const PaymentsQuery = z.extend(PageQuery, {
  email: z.optional(Email),
  state: listOf(TopUpState),
  source: z.optional(TopUp.shape.source),
  returned: z.optional(z.enum(['refunded', 'disputed'])),
})
export type PaymentsQuery = z.output<typeof PaymentsQuery>

export const listPayments = operation({
  name: 'backoffice.listPayments',
  method: 'GET',
  path: '/backoffice/payments',
  summary: 'Payments of all accounts or of one, newest first; of those that failed, why',
  access: 'manage_billing',
  query: PaymentsQuery,
  reply: page(StaffPayment),
  problems: [notFound],
})

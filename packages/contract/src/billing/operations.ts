import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { Currency } from './money.ts'
import { Balance, BalanceDay, CreditAdded, LedgerEntry, LedgerFilter, LedgerTransaction } from './ledger.ts'

export const getBalance = operation({
  name: 'billing.getBalance',
  method: 'GET',
  path: '/billing/balance',
  summary: 'The balance of the account',
  access: 'billing.view',
  reply: z.object({
    /** Null while billing is not switched on: nothing is charged. */
    balance: z.nullable(Balance),
  }),
})

export const getBalanceHistory = operation({
  name: 'billing.getBalanceHistory',
  method: 'GET',
  path: '/billing/balance/history',
  summary: 'The balance of the last 90 days by day, and the credits that were added',
  access: 'billing.view',
  reply: z.object({
    /** Null while billing is not switched on. */
    currency: z.nullable(Currency),
    /** The oldest first; none from before billing was switched on. */
    days: z.array(BalanceDay),
    /** The oldest first; the newest 200. */
    credits: z.array(CreditAdded),
  }),
})

export const listTransactions = operation({
  name: 'billing.listTransactions',
  method: 'GET',
  path: '/billing/transactions',
  summary: 'Every credit and every charge, newest first',
  access: 'billing.view',
  query: z.extend(PageQuery, LedgerFilter.shape),
  reply: page(LedgerTransaction),
})

export const getTransaction = operation({
  name: 'billing.getTransaction',
  method: 'GET',
  path: '/billing/transactions/{transaction_id}',
  summary: 'One credit or charge',
  access: 'billing.view',
  reply: LedgerEntry,
  problems: [notFound],
})

export const exportTransactions = operation({
  name: 'billing.exportTransactions',
  method: 'GET',
  path: '/billing/transactions.csv',
  summary: 'Every credit and every charge as CSV, newest first',
  access: 'billing.view',
  query: LedgerFilter,
  gives: 'csv',
})

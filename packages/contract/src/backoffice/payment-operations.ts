import * as z from 'zod/mini'
import { TopUp, TopUpState } from '../billing/top-up.ts'
import { Email, listOf } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'

/** A payment and whose it is. */
export const StaffPayment = z.extend(TopUp, { email: z.string(), team_name: z.string() })
export type StaffPayment = z.output<typeof StaffPayment>

/** Of one account, and in any of the states. */
export const PaymentsQuery = z.extend(PageQuery, { email: z.optional(Email), state: listOf(TopUpState) })
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

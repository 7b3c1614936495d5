import * as z from 'zod/mini'
import { operation } from '../../kernel/operation.ts'
import { page, PageQuery } from '../../kernel/page.ts'
import { notFound } from '../../kernel/problem.ts'
import { Month } from '../cost.ts'
import { billingOff } from '../ledger-problems.ts'
import { BillingDocument } from './document.ts'
import { BillingProfile } from './profile.ts'

export const getBillingProfile = operation({
  name: 'billing.getBillingProfile',
  method: 'GET',
  path: '/billing/profile',
  summary: 'Whom invoices and receipts are made out to',
  access: 'billing.view',
  reply: z.object({
    profile: z.nullable(BillingProfile),
    /** Months that are over and wait for the profile to be invoiced, the oldest first. */
    waiting_months: z.array(Month),
  }),
})

export const setBillingProfile = operation({
  name: 'billing.setBillingProfile',
  method: 'PUT',
  path: '/billing/profile',
  summary: 'Set the billing profile, which invoices and receipts are made out to',
  access: 'billing.edit',
  body: BillingProfile,
  reply: BillingProfile,
  problems: [billingOff],
})

export const listDocuments = operation({
  name: 'billing.listDocuments',
  method: 'GET',
  path: '/billing/documents',
  summary: 'Invoices, receipts and credit notes, newest first',
  access: 'billing.view',
  query: PageQuery,
  reply: page(BillingDocument),
})

export const exportDocument = operation({
  name: 'billing.exportDocument',
  method: 'GET',
  path: '/billing/documents/{document_id}/file',
  summary: 'An invoice, receipt or credit note as PDF',
  access: 'billing.view',
  gives: 'file',
  problems: [notFound],
})

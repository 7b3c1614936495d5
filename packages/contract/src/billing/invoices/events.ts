import * as z from 'zod/mini'
import { event } from '../../kernel/event.ts'

export const billingProfileChanged = event({
  name: 'billing.billing_profile_changed',
  refreshes: ['billing'],
  detail: z.object({ company: z.string(), country: z.string() }),
  sentence: 'Changed the billing profile: {company}, {country}',
})
export const documentIssued = event({
  name: 'billing.document_issued',
  refreshes: ['billing'],
  detail: z.object({ document_id: z.string(), number: z.string(), title: z.string(), total: z.string() }),
  sentence: 'Issued {number}: {title}, {total}',
})

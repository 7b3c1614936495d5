import * as z from 'zod/mini'
import { listOf, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { Activity } from './activity.ts'

export const ActivityFilter = z.object({
  category: listOf(z.string().check(z.maxLength(40))),
  actor: z.optional(z.string().check(z.maxLength(254))),
  asset_id: z.optional(z.string().check(z.maxLength(64))),
  start: z.optional(Time),
  end: z.optional(Time),
})

/** No permission of its own (spec §2): every member sees it, limited to what their tags allow. */
export const listActivities = operation({
  name: 'activities.listActivities',
  method: 'GET',
  path: '/activities',
  summary: 'What happened on the account, newest first',
  access: 'signed_in',
  query: z.extend(PageQuery, ActivityFilter.shape),
  reply: page(Activity),
})

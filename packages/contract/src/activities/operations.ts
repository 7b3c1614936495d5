import * as z from 'zod/mini'
import { listOf, AskedTime } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { Activity, Chain } from './activity.ts'

export const ActivityFilter = z.object({
  category: listOf(z.string().check(z.maxLength(40))),
  /** An e-mail address, or `system`, or `staff` for all of the support staff, or `robot:` with the name of a robot of the registry. */
  actor: z.optional(z.string().check(z.maxLength(254))),
  asset_id: z.optional(z.string().check(z.maxLength(64))),
  start: z.optional(AskedTime),
  end: z.optional(AskedTime),
})

/**
 * No permission of its own (spec §2): members see the categories whose permission they hold (event-reading.ts), limited by their tags,
 * and what they did themselves. API keys see by their scopes.
 */
export const listActivities = operation({
  name: 'activities.listActivities',
  method: 'GET',
  path: '/activities',
  summary: 'What happened on the account, newest first',
  access: 'signed_in',
  keys: 'overview.view',
  query: z.extend(PageQuery, ActivityFilter.shape),
  reply: page(Activity),
})

export const getActivity = operation({
  name: 'activities.getActivity',
  method: 'GET',
  path: '/activities/{activity_id}',
  summary: 'One activity',
  access: 'signed_in',
  keys: 'overview.view',
  reply: Activity,
  problems: [notFound],
})

export const exportActivities = operation({
  name: 'activities.exportActivities',
  method: 'GET',
  path: '/activities.csv',
  summary: 'What happened on the account as CSV, newest first',
  access: 'signed_in',
  keys: 'overview.view',
  query: ActivityFilter,
  gives: 'csv',
})

export const getChain = operation({
  name: 'activities.getChain',
  method: 'GET',
  path: '/activities/chain',
  summary: 'The newest entry, of those one reads, of the hash chain of the activities',
  access: 'signed_in',
  keys: 'overview.view',
  reply: Chain,
})

import * as z from 'zod/mini'
import { listOf } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { TimelineEntry, UsedNetwork } from './connection.ts'

export const listTimeline = operation({
  name: 'assets.listTimeline',
  method: 'GET',
  path: '/assets/{asset_id}/timeline',
  summary: 'What happened to an asset, on the network and on the account, newest first',
  access: 'assets.view',
  query: z.extend(PageQuery, { kind: listOf(z.enum(['network', 'sessions', 'activities', 'alerts'])) }),
  reply: page(TimelineEntry),
  problems: [notFound],
})

export const listUsedNetworks = operation({
  name: 'assets.listUsedNetworks',
  method: 'GET',
  path: '/assets/{asset_id}/networks',
  summary: 'The networks that an asset used in the last 30 days',
  access: 'assets.view',
  reply: z.object({ items: z.array(UsedNetwork) }),
  problems: [notFound],
})

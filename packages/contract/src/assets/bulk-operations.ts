import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { groupUnknown } from '../network-groups/problems.ts'
import { BulkChange, BulkPreview, BulkRequest, LeftAsset } from './bulk.ts'
import { bulkSelectionChanged, bulkTooMany, tagUnknown } from './problems.ts'

/** Changes nothing. Its `total` is the `count` to agree to. */
export const previewBulkChange = operation({
  name: 'assets.previewBulkChange',
  method: 'POST',
  path: '/assets/bulk-changes/preview',
  summary: 'What a change of many assets would do',
  access: 'assets.edit',
  body: BulkRequest,
  reply: BulkPreview,
  problems: [notFound, tagUnknown, groupUnknown, bulkTooMany],
})

/** A change of up to 500 assets has ended when it is answered; a larger one goes on in the background. */
export const startBulkChange = operation({
  name: 'assets.startBulkChange',
  method: 'POST',
  path: '/assets/bulk-changes',
  summary: 'Tag, untag, activate or deactivate many assets, or set their network group',
  access: 'assets.edit',
  body: z.extend(BulkRequest, {
    /** With a filter: how many assets you know it to match. Where it is another number by now, nothing is changed. */
    count: z.optional(z.int().check(z.minimum(1))),
  }),
  reply: BulkChange,
  problems: [notFound, tagUnknown, groupUnknown, bulkTooMany, bulkSelectionChanged],
})

/** A member limited by tags sees the changes they began themselves. Kept for 30 days, here and below. */
export const getBulkChange = operation({
  name: 'assets.getBulkChange',
  method: 'GET',
  path: '/assets/bulk-changes/{bulk_id}',
  summary: 'How far a change of many assets is, and what it did',
  access: 'assets.view',
  reply: BulkChange,
  problems: [notFound],
})

export const listLeftAssets = operation({
  name: 'assets.listLeftAssets',
  method: 'GET',
  path: '/assets/bulk-changes/{bulk_id}/left',
  summary: 'The assets that a change did not change, and why',
  access: 'assets.view',
  query: PageQuery,
  reply: page(LeftAsset),
  problems: [notFound],
})

import * as z from 'zod/mini'
import { operation } from '../../kernel/operation.ts'
import { page, PageQuery } from '../../kernel/page.ts'
import { forbidden, notFound } from '../../kernel/problem.ts'
import { agentUpToDate } from '../../devices/agent/problems.ts'
import { groupUnknown } from '../../network-groups/problems.ts'
import { BulkChange, BulkPreview, BulkRequest, LeftAsset } from './bulk.ts'
import { bulkNotUndoable, bulkSelectionChanged, bulkTooMany, tagUnknown } from '../problems.ts'

/** Changes nothing. Its `total` is the `count` to agree to. */
export const previewBulkChange = operation({
  name: 'assets.previewBulkChange',
  method: 'POST',
  path: '/assets/bulk-changes/preview',
  summary: 'What a change of many assets would do',
  access: 'assets.edit',
  body: BulkRequest,
  reply: BulkPreview,
  problems: [forbidden, notFound, tagUnknown, groupUnknown, bulkTooMany, agentUpToDate],
})

/** A change of up to 500 assets has ended when it is answered; a larger one goes on in the background. */
export const startBulkChange = operation({
  name: 'assets.startBulkChange',
  method: 'POST',
  path: '/assets/bulk-changes',
  summary: 'Change many assets alike',
  access: 'assets.edit',
  body: z.extend(BulkRequest, {
    /** With a filter: how many assets you know it to match. Where it is another number by now, nothing is changed. */
    count: z.optional(z.int().check(z.minimum(1))),
    /** For what cannot be taken back, a word: `terminate` for `terminate_sim`, `release` for `release`. */
    confirm: z.optional(z.string().check(z.maxLength(20))),
  }),
  reply: BulkChange,
  problems: [forbidden, notFound, tagUnknown, groupUnknown, bulkTooMany, agentUpToDate, bulkSelectionChanged],
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

/**
 * A CSV file with a row for each asset: `asset` (id, serial number or ICCID) and any of `name`, `switch` (on, off: the asset itself), `state` (active, inactive, standby, ready), `limit`
 * (`500 MB`, `2 GB/day`, `none`), `raise` (`2 GB`), `imei_lock` (off, watch, lock, or an IMEI), `network_group` (id or name), `add_tags` and `remove_tags` (names, separated by `;`).
 * The configuration of a CORE device has the columns that `configure_core` has fields, and asks for `core.edit` as well: `network_priority` is like `TYPE_E=1;TYPE_C=2`,
 * `debug_mode` and `verbose_mode` are `yes` or `no`. `new_sim` (ICCID or serial number) swaps the SIM as `POST /assets/{asset_id}/sim/swap` does, and
 * `old_sim` says what becomes of the one before: `inactive` (also where it is empty) or `terminated` for ever; such a row changes nothing else. A file that terminates
 * SIMs is taken with the word that confirms it alone. An empty cell changes nothing; a row is done whole or not at all. Answers once all rows are written down.
 */
export const startCsvChange = operation({
  name: 'assets.startCsvChange',
  method: 'POST',
  path: '/assets/bulk-changes/csv',
  summary: 'Change many assets, each in its own way, by a CSV file',
  access: 'assets.edit',
  query: z.object({
    /** For a file that terminates SIMs, which cannot be taken back: `terminate`. */
    confirm: z.optional(z.string().check(z.maxLength(20))),
  }),
  takes: 'csv',
  reply: BulkChange,
  problems: [forbidden, bulkTooMany],
})

/** What somebody else has changed since stays as it is. */
export const undoBulkChange = operation({
  name: 'assets.undoBulkChange',
  method: 'POST',
  path: '/assets/bulk-changes/{bulk_id}/undo',
  summary: 'Bring the assets of a change back to what they were before',
  access: 'assets.edit',
  reply: BulkChange,
  problems: [notFound, bulkNotUndoable],
})

export const listBulkChanges = operation({
  name: 'assets.listBulkChanges',
  method: 'GET',
  path: '/assets/bulk-changes',
  summary: 'Changes of many assets, the latest first',
  access: 'assets.view',
  query: PageQuery,
  reply: page(BulkChange),
})

export const exportBulkResults = operation({
  name: 'assets.exportBulkResults',
  method: 'GET',
  path: '/assets/bulk-changes/{bulk_id}/results.csv',
  summary: 'What a change did to each of its assets, as CSV',
  access: 'assets.view',
  gives: 'csv',
  problems: [notFound],
})

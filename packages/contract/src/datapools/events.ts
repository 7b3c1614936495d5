import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'
import { Bytes } from '../kernel/fields.ts'
import { formatBytes } from '../usage/bytes.ts'
import { overageWords } from './pool.ts'
import { OveragePolicy } from './package.ts'

const pool = z.object({ pool_id: z.string(), pool_name: z.string() })

/** Staff gave the account a pool. */
export const poolGranted = event({
  name: 'datapools.pool_granted',
  refreshes: ['datapools'],
  detail: z.extend(pool, { package_name: z.string(), data_volume: z.string(), reason: z.string() }),
  sentence: 'Opened data pool {pool_name} of package {package_name} ({data_volume}): {reason}',
})
export const poolBought = event({
  name: 'datapools.pool_bought',
  refreshes: ['datapools', 'billing'],
  /** The price is for whoever reads billing (event-reading.ts). */
  detail: z.extend(pool, { package_name: z.string(), data_volume: z.string(), price: z.optional(z.string()) }),
  sentence: ({ price }) => `Bought data pool {pool_name} of package {package_name} ({data_volume})${price ? ' for {price} a term' : ''}`,
})
export const poolBoughtMore = event({
  name: 'datapools.pool_bought_more',
  refreshes: ['datapools', 'billing', 'assets'],
  detail: z.extend(pool, { data_volume: z.string(), price: z.optional(z.string()) }),
  sentence: ({ price }) => `Bought {data_volume} more for the term of data pool {pool_name}${price ? ' for {price}' : ''}`,
})
/** It was bought, and the balance did not cover the term that began. */
export const poolUnpaid = event({
  name: 'datapools.pool_unpaid',
  refreshes: ['datapools', 'assets'],
  effects: ['notifications.update_alerts'],
  detail: pool,
  sentence: 'Ended data pool {pool_name}: the balance does not cover its next term',
})
/** Staff gave it more data for the term that runs. */
export const poolGrown = event({
  name: 'datapools.pool_grown',
  refreshes: ['datapools', 'assets'],
  detail: z.extend(pool, { data_volume: z.string(), reason: z.string() }),
  sentence: 'Gave data pool {pool_name} {data_volume} more: {reason}',
})
export const poolEndedByStaff = event({
  name: 'datapools.pool_ended_by_staff',
  refreshes: ['datapools', 'assets'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(pool, { reason: z.string() }),
  sentence: 'Ended data pool {pool_name}: {reason}',
})
export const poolChanged = event({
  name: 'datapools.pool_changed',
  refreshes: ['datapools'],
  detail: z.extend(pool, { changes: z.string() }),
  sentence: 'Changed data pool {pool_name}: {changes}',
})
export const poolRenamed = event({
  name: 'datapools.pool_renamed',
  refreshes: ['datapools', 'assets'],
  detail: z.extend(pool, { old_name: z.string(), new_name: z.string() }),
  sentence: 'Renamed data pool {old_name} to {new_name}',
})
const count = z.object({ count: z.int() })
const assets = (detail: { count: number }) => (detail.count === 1 ? '{count} asset' : '{count} assets')
export const poolAssetsAdded = event({
  name: 'datapools.pool_assets_added',
  refreshes: ['datapools', 'assets'],
  detail: z.extend(pool, count.shape),
  sentence: (detail) => `Added ${assets(detail)} to data pool {pool_name}`,
})
export const poolAssetsRemoved = event({
  name: 'datapools.pool_assets_removed',
  refreshes: ['datapools', 'assets'],
  detail: z.extend(pool, count.shape),
  sentence: (detail) => `Removed ${assets(detail)} from data pool {pool_name}`,
})
export const poolTagsSet = event({
  name: 'datapools.pool_tags_set',
  refreshes: ['datapools', 'assets'],
  /** Names in one line; '' is none. */
  detail: z.extend(pool, { tags: z.string() }),
  sentence: ({ tags }) =>
    tags === '' ? 'Data pool {pool_name} takes no more SIMs by tags' : 'Data pool {pool_name} has the SIMs of the tags {tags}',
})
export const poolThresholdReached = event({
  name: 'datapools.pool_threshold_reached',
  refreshes: ['datapools'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(pool, { percent: z.int(), size_bytes: Bytes }),
  sentence: ({ size_bytes }) => `Data pool {pool_name} has used {percent} % of its ${formatBytes(size_bytes)}`,
})
/** Its size is used up. What follows is what its policy says. */
export const poolUsedUp = event({
  name: 'datapools.pool_used_up',
  refreshes: ['datapools', 'assets'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(pool, { overage_policy: OveragePolicy, overage_percent: z.nullable(z.int()) }),
  sentence: (detail) => `Data pool {pool_name} is used up. After it: ${overageWords(detail)}`,
})
/** It gives nothing more: its SIMs have no service, unless another pool of theirs has data. */
export const poolExhausted = event({
  name: 'datapools.pool_exhausted',
  refreshes: ['datapools', 'assets'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(pool, { overshoot_bytes: Bytes }),
  sentence: ({ overshoot_bytes }) =>
    `Data pool {pool_name} gives no more data${overshoot_bytes > 0 ? `; ${formatBytes(overshoot_bytes)} went beyond it` : ''}`,
})
/** It has data again: a new term, more data, or another policy. */
export const poolRefilled = event({
  name: 'datapools.pool_refilled',
  refreshes: ['datapools', 'assets'],
  effects: ['notifications.update_alerts'],
  detail: pool,
  sentence: 'Data pool {pool_name} gives data again',
})
export const poolRenewed = event({
  name: 'datapools.pool_renewed',
  refreshes: ['datapools', 'assets'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(pool, { data_volume: z.string() }),
  sentence: 'Renewed data pool {pool_name} with {data_volume}',
})
export const poolEnded = event({
  name: 'datapools.pool_ended',
  refreshes: ['datapools', 'assets'],
  effects: ['notifications.update_alerts'],
  detail: pool,
  sentence: 'Data pool {pool_name} has ended',
})

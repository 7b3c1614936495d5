import * as z from 'zod/mini'
import { event } from '../../kernel/event.ts'

const asset = z.object({ asset_id: z.string(), asset_name: z.string() })
const refreshes = ['devices', 'assets'] as const

export const networkPriorityChanged = event({
  name: 'assets.network_priority_changed',
  refreshes,
  detail: z.extend(asset, { order: z.string() }),
  sentence: 'Set the order of interfaces of {asset_name}: {order}',
})
export const simAccessChanged = event({
  name: 'assets.sim_access_changed',
  refreshes,
  detail: z.extend(asset, { what: z.string() }),
  sentence: 'Set {what} of the device of {asset_name}',
})
export const networkRetried = event({
  name: 'assets.network_retried',
  refreshes,
  detail: asset,
  sentence: 'Had the device of {asset_name} try its network settings once more',
})

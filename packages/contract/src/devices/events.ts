import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

const asset = z.object({ asset_id: z.string(), asset_name: z.string() })
const refreshes = ['devices'] as const

export const deviceEnrolled = event({
  name: 'devices.device_enrolled',
  refreshes,
  detail: asset,
  sentence: 'Gave the device of {asset_name} new credentials',
})
export const deviceConfigured = event({
  name: 'devices.device_configured',
  refreshes,
  detail: z.extend(asset, { keys: z.string() }),
  sentence: 'Changed {keys} in the configuration of {asset_name}',
})
export const configWithdrawn = event({
  name: 'devices.config_withdrawn',
  refreshes,
  detail: z.extend(asset, { keys: z.string() }),
  sentence: 'Withdrew the change of {keys} in the configuration of {asset_name}',
})
export const deviceUpdated = event({
  name: 'devices.device_updated',
  refreshes,
  detail: z.extend(asset, { services: z.string() }),
  sentence: 'Asked {asset_name} to update {services}',
})

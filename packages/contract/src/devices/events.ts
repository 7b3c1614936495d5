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
export const agentRulesSet = event({
  name: 'devices.agent_rules_set',
  refreshes,
  effects: ['notifications.update_alerts'],
  detail: z.object({ enabled: z.boolean(), in_window: z.boolean() }),
  sentence: ({ enabled, in_window }) =>
    !enabled
      ? 'Switched the automatic updates of agents off'
      : in_window
        ? 'Switched the automatic updates of agents on, in a maintenance window'
        : 'Switched the automatic updates of agents on',
})
export const agentUpdatesStopped = event({
  name: 'devices.agent_updates_stopped',
  refreshes,
  effects: ['notifications.update_alerts'],
  detail: z.object({ version: z.string(), failures: z.int() }),
  sentence: 'Stopped the automatic updates of agents to {version}, because {failures} in a row failed',
})
export const deviceUpdated = event({
  name: 'devices.device_updated',
  refreshes,
  detail: z.extend(asset, { services: z.string() }),
  sentence: 'Asked {asset_name} to update {services}',
})

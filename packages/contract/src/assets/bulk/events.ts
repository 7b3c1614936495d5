import * as z from 'zod/mini'
import { agentUpdateAsked } from '../../devices/agent/events.ts'
import { deviceConfigured, deviceUpdated } from '../../devices/events.ts'
import { event } from '../../kernel/event.ts'
import { groupAssigned } from '../../network-groups/events.ts'
import { tagAssigned, tagUnassigned } from '../../tags/events.ts'
import {
  assetReleased,
  assetRenamed,
  assetSwitchedOff,
  assetSwitchedOn,
  imeiLockSet,
  limitRaised,
  limitSet,
  sessionsReset,
  simActivated,
  simDeactivated,
  simOnStandby,
  simReady,
  simSwapped,
  simTerminated,
} from '../events.ts'
import { BulkAction } from './bulk-action.ts'

/** What each action is of one asset. */
const ofOne = {
  add_tags: tagAssigned,
  remove_tags: tagUnassigned,
  activate_sim: simActivated,
  deactivate_sim: simDeactivated,
  standby_sim: simOnStandby,
  ready_sim: simReady,
  terminate_sim: simTerminated,
  set_limit: limitSet,
  raise_limit: limitRaised,
  imei_lock: imeiLockSet,
  set_network_group: groupAssigned,
  reset_sim: sessionsReset,
  switch_on: assetSwitchedOn,
  switch_off: assetSwitchedOff,
  update_core: deviceUpdated,
  configure_core: deviceConfigured,
  update_agent: agentUpdateAsked,
  release: assetReleased,
} as const

const assetsOf = (count: number) => (count === 1 ? '{changed} asset' : '{changed} assets')
/**
 * One change of many assets has ended. What became of each is recorded by an event of its own, for its history; webhooks are sent this one alone, with the
 * address of the rows (`results`).
 */
export const assetsChanged = event({
  name: 'assets.assets_changed',
  refreshes: ['assets'],
  detail: z.object({
    bulk_id: z.string(),
    action: BulkAction,
    /** Names, in one line. */
    tags: z.string(),
    network_group_name: z.optional(z.string()),
    /** Whom they were handed over to, where they left for another account. */
    to: z.optional(z.string()),
    total: z.int(),
    changed: z.int(),
    left: z.int(),
    /** Whoever began it lost the right on the way. */
    stopped: z.optional(z.boolean()),
    /** What became of each asset, as CSV, below the address of the API. Absent: an event of before. */
    results: z.optional(z.string()),
  }),
  standsFor: ({ action }) =>
    action === 'csv' || action === 'undo'
      ? [...Object.values(ofOne), assetRenamed, simSwapped].map(({ name }) => name)
      : [ofOne[action].name],
  sentence: ({ action, changed, left, stopped, to }) => {
    const words = {
      add_tags: `Tagged ${assetsOf(changed)} with {tags}`,
      remove_tags: `Removed {tags} from ${assetsOf(changed)}`,
      activate_sim: `Activated the SIMs of ${assetsOf(changed)}`,
      deactivate_sim: `Deactivated the SIMs of ${assetsOf(changed)}`,
      standby_sim: `Put the SIMs of ${assetsOf(changed)} on standby`,
      ready_sim: `Set the SIMs of ${assetsOf(changed)} to ready`,
      terminate_sim: `Terminated the SIMs of ${assetsOf(changed)} for ever`,
      set_limit: `Set the data limit of ${assetsOf(changed)}`,
      raise_limit: `Raised the data limit of ${assetsOf(changed)}`,
      imei_lock: `Set the IMEI lock of ${assetsOf(changed)}`,
      update_core: `Asked the CORE devices of ${assetsOf(changed)} to update`,
      configure_core: `Changed the configuration of the CORE devices of ${assetsOf(changed)}`,
      update_agent: `Asked the devices of ${assetsOf(changed)} to update their agents`,
      reset_sim: `Reset the connectivity of ${assetsOf(changed)}`,
      switch_on: `Switched on ${assetsOf(changed)}`,
      switch_off: `Switched off ${assetsOf(changed)}`,
      release: to ? `Handed ${assetsOf(changed)} over to {to}` : `Gave ${assetsOf(changed)} back to stock`,
      csv: `Changed ${assetsOf(changed)} by a CSV file`,
      undo: `Undid a change of ${assetsOf(changed)}`,
      set_network_group: `Moved ${assetsOf(changed)} to network group {network_group_name}`,
    }[action]
    return left === 0
      ? words
      : `${words}; {left} stayed as they were${stopped ? ', because the person who started it is no longer allowed to' : ''}`
  },
})

import * as z from 'zod/mini'
import { ConfigChange } from '../../devices/config.ts'
import { Email, Time } from '../../kernel/fields.ts'
import { AlikeAction, BulkAction } from './bulk-action.ts'
import { ImeiLock } from '../device.ts'
import { mostLimit, mostRaise } from '../month-limit.ts'
import { AssetFilter } from '../asset-filter.ts'
import { LimitPeriod } from '../sim.ts'

/** So many assets one change takes, when they are meant by a filter; and so many when they are named. */
export const mostBulkAssets = 100_000
export const mostNamedAssets = 1000
/** So many tags an asset has at most. */
export const mostTagsOfAsset = 50

/**
 * Why an asset was left as it was: it was so already, has no SIM, has no CORE device or no agent of ours, as many changes of its configuration wait as may, its SIM is in a state that does not allow it (`terminated`, `inventory`, or
 * `wrong_state`), has no open session to be cut (`reset_sim`), has no limit to be raised or one that allows as much, is held by support staff, is of an account that they suspended or has an open session (`release`), was to have a new SIM (`new_sim`) that is unknown, yours already, somebody else's, reserved, or handed over to your address before you confirmed that, has all the tags it can have, would leave
 * what a member limited to tags sees, is gone (or not seen by that member), was changed since by somebody else (undo), had a row that cannot
 * be read or that names it again (CSV), was still to come when whoever began lost the right, or was tried many times without success, as the error log says.
 */
export const LeftReason = z.enum([
  'already',
  'no_sim',
  'no_core',
  'no_agent',
  'too_many_changes',
  'terminated',
  'inventory',
  'wrong_state',
  'no_session',
  'no_limit',
  'not_higher',
  'held',
  'suspended',
  'in_session',
  'new_sim_unknown',
  'new_sim_yours',
  'new_sim_taken',
  'new_sim_reserved',
  'new_sim_unconfirmed',
  'too_many_tags',
  'last_tag',
  'gone',
  'changed_since',
  'not_undoable',
  'bad_row',
  'twice',
  'not_allowed',
  'failed',
])
export type LeftReason = z.output<typeof LeftReason>

/** Which assets: named by ids, serial numbers or ICCIDs, or all that match a filter of the list but some. And what is to be done with them. */
export const BulkRequest = z.object({
  action: AlikeAction,
  /** For `set_limit`: a limit of its own, or null for none. */
  limit: z.optional(z.nullable(z.object({ bytes: z.int().check(z.minimum(1_000_000), z.maximum(mostLimit)), period: LimitPeriod }))),
  /** For `raise_limit`: what each limit allows in all in the period that runs. */
  raise_bytes: z.optional(z.int().check(z.minimum(1_000_000), z.maximum(mostRaise))),
  /** For `imei_lock`: `lock` takes the device that each SIM was seen in last, else the first that comes; null is as its group says. */
  imei_lock: z.optional(z.nullable(ImeiLock)),
  /** Ids or names, for the actions on tags. */
  tags: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(mostTagsOfAsset))),
  /** Its id or name, for `set_network_group`. */
  network_group: z.optional(z.string().check(z.trim(), z.minLength(1, 'Name a network group'), z.maxLength(120))),
  /** For `configure_core`: what is to be changed of the configuration of each. */
  core_config: z.optional(ConfigChange),
  /** For `release`: the account that may register them from then on, by the e-mail address of its owner. Null: back to stock. */
  to: z.optional(z.nullable(Email)),
  asset_ids: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(mostNamedAssets))),
  filter: z.optional(z.strictObject(AssetFilter.shape)),
  /** With a filter: ids of assets that match it and are not meant. */
  except: z.optional(z.array(z.string()).check(z.maxLength(mostNamedAssets))),
})

const Count = z.int().check(z.nonnegative())
const Outcome = z.object({
  /** How many assets are meant. */
  total: Count,
  changed: Count,
  /** Of those changed: SIMs that are set to active, but that a block keeps off the network. */
  still_blocked: Count,
  left: z.array(z.object({ reason: LeftReason, count: Count })),
})

/** What a change would do now. */
export const BulkPreview = z.extend(Outcome, {
  /** For `set_network_group`, `imei_lock`, `set_limit` and `raise_limit`: what it does at once to the SIMs that get it. */
  held: z.optional(
    z.object({
      /** SIMs in a session on a network or by a technology that the group does not allow. */
      cut: Count,
      /** SIMs that have used that much already and would be blocked; and SIMs that would not be blocked for their data limit any more. */
      blocked: Count,
      freed: Count,
      /**
       * SIMs that would be blocked, as they are used in a device that is not accepted; and SIMs that would not be blocked for their device any more: `lock` accepts the one
       * that a SIM is blocked for.
       */
      wrong_device: Count,
      device_freed: Count,
    })
  ),
  /** For `release`: what else it means, of the assets that would leave. */
  leaving: z.optional(
    z.object({
      sims: Count,
      /** SIMs that draw from data pools, and leave them. What one brought to a pool stays in it until its term ends. */
      in_pools: Count,
      /** SIMs that lose a data limit of their own. */
      own_limits: Count,
      /** SIMs whose fee for this month is charged. It is not given back. */
      fees_charged: Count,
    })
  ),
})
export type BulkPreview = z.output<typeof BulkPreview>

/** A change of many assets: what it was asked, how far it is, what it did. */
export const BulkChange = z.extend(Outcome, {
  id: z.string(),
  action: BulkAction,
  tags: z.array(z.object({ id: z.string(), name: z.string() })),
  network_group: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** Of `release`: the account that may register them now, by the e-mail address of its owner; null: back to stock. Absent in other actions. */
  to: z.optional(z.nullable(z.string())),
  /** How many assets are done; `total` when it has ended. */
  done: Count,
  started_at: Time,
  started_by: z.string(),
  /** Null while it goes on. */
  finished_at: z.nullable(Time),
  /** The change that this one takes back. */
  undoes: z.nullable(z.string()),
  /** Whether it can be taken back: it has ended, and nobody did so. */
  can_undo: z.boolean(),
})
export type BulkChange = z.output<typeof BulkChange>

/** An asset that a change left as it was; without a name and a serial number where it is gone. */
export const LeftAsset = z.object({
  asset_id: z.string(),
  name: z.nullable(z.string()),
  serial: z.nullable(z.string()),
  reason: LeftReason,
  /** Of a row of a CSV: its line, and what is wrong with it. */
  line: z.nullable(z.int()),
  words: z.nullable(z.string()),
})
export type LeftAsset = z.output<typeof LeftAsset>

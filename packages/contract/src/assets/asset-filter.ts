import * as z from 'zod/mini'
import { listOf } from '../kernel/fields.ts'
import { AssetType } from './asset.ts'
import { AssetQueryText } from './query/query-text.ts'
import { SimState, SimStatus } from './sim.ts'

const sorts = [
  'name',
  'type',
  'sim_status',
  'serial',
  'tags',
  'network_group',
  'imsi',
  'msisdn',
  'imei',
  'eid',
  'ip',
  'created_at',
  'usage',
  'last_seen_at',
] as const
type Sorts = (typeof sorts)[number]

/** `-` in front turns the order round. */
export const AssetSort = z.enum(sorts.flatMap((by) => [by, `-${by}`]) as (Sorts | `-${Sorts}`)[])

export const AssetFilter = z.object({
  /** In name, serial, ICCID, IMSI, MSISDN, EID, IMEI; an IP address finds the SIM that has it now. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  /** Tag ids or names; an asset with any of them. */
  tag: listOf(z.string()),
  type: listOf(AssetType),
  sim_status: listOf(SimStatus),
  state: listOf(SimState),
  /** Ids or names. */
  network_group: listOf(z.string().check(z.maxLength(120))),
  online: z.optional(z.enum(['true', 'false'])),
  /**
   * Near its limit of this month, with an open session gone silent, or with one that a Disconnect-Request did not end; `quiet`: silent against its own
   * last weeks, `refused`: not let in since the hour before; `update`: the last update of its device or of its agent failed.
   */
  attention: z.optional(z.enum(['near_limit', 'silent', 'uncut', 'quiet', 'refused', 'update'])),
  /** A question in one line, as `country:PL silent:>5d (block:any or usage:>1GB)`. */
  q: z.optional(AssetQueryText),
})

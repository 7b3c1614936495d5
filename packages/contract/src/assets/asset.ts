import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { TagColor } from '../tags/tag.ts'
import { assetTypes } from './asset-types.ts'
import { Sim } from './sim.ts'

export type AssetType = keyof typeof assetTypes
export const AssetType = z.enum(Object.keys(assetTypes) as [AssetType, ...AssetType[]])

export const Asset = z.object({
  id: z.string(),
  name: z.string(),
  type: AssetType,
  serial: z.string(),
  tags: z.array(z.object({ id: z.string(), name: z.string(), color: TagColor })),
  /** It has an open data session that reported lately. */
  online: z.boolean(),
  /** The last packet about any of its sessions; null: never seen. */
  last_seen_at: z.nullable(Time),
  created_at: Time,
  /** That which it is in. */
  fleet: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** Of the modem of its device, as that reported it last. */
  firmware: z.nullable(z.string()),
  /** The SIM in use. */
  sim: z.nullable(Sim),
  /** Of one asset: its switch. `inactive` is switched off, and none of its SIMs has service. A list leaves it out. */
  status: z.optional(z.enum(['active', 'inactive'])),
  /** All of them, where there are others than the one in use. */
  sims: z.optional(z.array(Sim)),
})
export type Asset = z.output<typeof Asset>

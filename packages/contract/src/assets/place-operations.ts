import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { Network } from '../networks/network.ts'

/** How far back places are kept, and how many of them. */
export const placeDays = 30
export const mostStays = 200

/** A time at one place, as networks reported it: consecutive reports of the same network, technology and cell are one. */
export const Stay = z.object({
  network: Network,
  rat: z.nullable(z.string()),
  /** User-Location-Info as the gateway reports it; null where a report, like that of a feed, has no cell. */
  cell: z.nullable(z.string()),
  since: Time,
  /** The last report from there. */
  until: Time,
})
export type Stay = z.output<typeof Stay>

export const listStays = operation({
  name: 'assets.listStays',
  method: 'GET',
  path: '/assets/{asset_id}/places',
  summary: 'On which networks and cells an asset was in the last 30 days, as they were reported, newest first',
  access: 'assets.view',
  reply: z.object({
    items: z.array(Stay),
    /** There were more. */
    more: z.boolean(),
  }),
  problems: [notFound],
})

import * as z from 'zod/mini'
import { SimStatus } from '../assets/sim.ts'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { Network } from '../networks/network.ts'

/** So many assets whose position is known are on the map. */
export const mostPlaced = 20_000

/** Hours of the strip that are judged; what came since is one more. */
export const stripHours = 24

/** A SIM that should work, and why it does not as usual. */
export const LapseState = z.enum(['silent', 'refused', 'blocked'])
export type LapseState = z.output<typeof LapseState>

export const getVerdict = operation({
  name: 'overview.getVerdict',
  method: 'GET',
  path: '/overview/verdict',
  summary: 'How many of the SIMs that should work do, against what is usual at this hour',
  access: 'overview.view',
  reply: z.object({
    at: Time,
    /** Up to when it was judged which SIMs are silent. Null while that is not known: then `works` is not, either. */
    judged_until: z.nullable(Time),
    /** Active SIMs, those under a block too. */
    should: z.int(),
    works: z.nullable(z.int()),
    blocked: z.int(),
    refused: z.int(),
    silent: z.nullable(z.int()),
    /** SIMs that were never seen, and are none of these: whether they work is not known, so they do not count as working. */
    unseen: z.nullable(z.int()),
    /** As many of today's SIMs that were seen as worked at this hour and weekday in the last weeks; null with fewer than two weeks. */
    usual: z.nullable(z.object({ from: z.int(), to: z.int(), weeks: z.int() })),
    /** SIMs of feeds that have not come to `judged_until`, and up to when the latest of these has: that they are silent since is not known, so they count as working. */
    awaited: z.nullable(z.object({ sims: z.int(), until: Time })),
    /** SIMs that need not work now, by their status. */
    not_counted: z.array(z.object({ status: SimStatus, count: z.int() })),
  }),
})

export const getStrip = operation({
  name: 'overview.getStrip',
  method: 'GET',
  path: '/overview/strip',
  summary: 'The last 24 hours of the SIMs that should work',
  access: 'overview.view',
  reply: z.object({
    at: Time,
    /** The first hour. 24 hours follow, and what came since the last of them. Null while nothing is judged. */
    start: z.nullable(Time),
    /**
     * SIMs that were seen or are not as usual now, by the country of the network that they last used data on; null: not known. `off`: not as usual now. `hidden`: would have a line and have none, as
     * there are so many.
     */
    groups: z.array(z.object({ country: z.nullable(z.string()), sims: z.int(), off: z.int(), hidden: z.int() })),
    /**
     * SIMs with an hour that is not as usual, column by column; all SIMs where there are few. `group`: its place in `groups`. `runs`: letters
     * with the number of hours, `u20s4r1`: as **u**sual, **s**ilent, **r**efused, **b**locked, **n**ot meant to work then.
     */
    lines: z.object({
      asset_id: z.array(z.string()),
      name: z.array(z.string()),
      iccid: z.array(z.string()),
      group: z.array(z.int()),
      runs: z.array(z.string()),
    }),
    /** The sum of `hidden`. */
    more: z.int(),
  }),
})

export const getPlaces = operation({
  name: 'overview.getPlaces',
  method: 'GET',
  path: '/overview/places',
  summary: 'On which networks the SIMs that should work last used data, and where assets stand whose position was set',
  access: 'overview.view',
  reply: z.object({
    /** The one with most SIMs first. */
    networks: z.array(z.object({ network: Network, sims: z.int(), off: z.int() })),
    /** SIMs that have not used data in 30 days. */
    unknown: z.int(),
    /** Assets with a position, at most `mostPlaced`. */
    placed: z.array(z.object({ asset_id: z.string(), name: z.string(), serial: z.string(), latitude: z.number(), longitude: z.number() })),
    /** There are more of these. */
    more_placed: z.boolean(),
  }),
})

import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { Network } from '../networks/network.ts'

/** How far back places are kept, and how many of them. */
export const placeDays = 30
export const mostStays = 200

const degrees = (most: number, words: string) => z.number({ error: words }).check(z.minimum(-most, words), z.maximum(most, words))

/** Where an asset stands (WGS 84), as its owner or a system of theirs says. */
export const Position = z.object(
  {
    latitude: degrees(90, 'A latitude is from -90 to 90 degrees'),
    longitude: degrees(180, 'A longitude is from -180 to 180 degrees'),
  },
  { error: 'Enter latitude and longitude, like 52.2297, 21.0122' }
)
export type Position = z.output<typeof Position>

/** So many positions of an asset are kept, the newest: as one reports on its way, some for each hour of two days, and one for each hour before. */
export const mostPlaces = 1000

/** The same with since when, until when (null: now), and who said so. */
export const Place = z.extend(Position, { since: Time, until: z.nullable(Time), by: z.string() })
export type Place = z.output<typeof Place>

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
  summary:
    'Where an asset was in the last 30 days, newest first: on which networks and cells, as they were reported, and at which positions, as they were set',
  access: 'assets.view',
  reply: z.object({
    items: z.array(Stay),
    /** There were more. */
    more: z.boolean(),
    /** Positions that were set (`PATCH /assets/{asset_id}`). */
    places: z.array(Place),
  }),
  problems: [notFound],
})

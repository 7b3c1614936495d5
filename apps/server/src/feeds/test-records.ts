import { addFeedRecords } from '@masthead/contract/usage/feed-operations'
import type { House } from '@masthead/testkit/house'

export type Feed = { key: string }
export type FeedRow = Record<string, string | number | null>

export const minutesBefore = ({ clock }: Pick<House, 'clock'>, minutes: number) =>
  new Date(clock.now().getTime() - minutes * 60_000).toISOString()

let ids = 0

/** A record of ten minutes, of 300 bytes. */
export const feedRecord = (house: Pick<House, 'clock'>, changes: FeedRow = {}): FeedRow => ({
  id: `r${++ids}`,
  started_at: minutesBefore(house, 20),
  ended_at: minutesBefore(house, 10),
  bytes_up: 100,
  bytes_down: 200,
  mccmnc: '26201',
  ...changes,
})

export const sendRecords = ({ anyone }: Pick<House, 'anyone'>, feed: Feed, records: FeedRow[], headers: Record<string, string> = {}) =>
  anyone.call(addFeedRecords, { body: { records } }, { 'x-feed-key': feed.key, ...headers })

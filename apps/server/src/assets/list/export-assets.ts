import { sql } from 'kysely'
import type { Asset } from '@masthead/contract/assets/asset'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import type { Db } from '../../kernel/app.ts'
import type { Value } from '../../kernel/http/csv.ts'
import { csvOf, type Sheet } from '../../kernel/sheet.ts'
import { answerable, needAnswerable, needLists } from './asset-count.ts'
import { knowTags, matching, type Filter } from './asset-filter.ts'
import { assetsByIds } from './asset-rows.ts'
import type { Viewer } from '../viewer.ts'

const rowsAtOnce = 1000

type Column = (asset: Asset) => Value
const columns: Record<string, Column> = {
  name: ({ name }) => name,
  type: ({ type }) => assetTypes[type],
  serial: ({ serial }) => serial,
  tags: ({ tags }) => tags.map((tag) => tag.name).join(';'),
  online: ({ online }) => online,
  last_seen_at: ({ last_seen_at }) => last_seen_at,
  created_at: ({ created_at }) => created_at,
  iccid: ({ sim }) => sim?.iccid,
  imsi: ({ sim }) => sim?.imsis.join(';'),
  msisdn: ({ sim }) => sim?.msisdn,
  eid: ({ sim }) => sim?.eid,
  imei: ({ sim }) => sim?.imei,
  sim_status: ({ sim }) => sim?.status,
  state: ({ sim }) => sim?.state,
  blocks: ({ sim }) => sim?.blocks.map((block) => block.code).join(';'),
  state_changed_at: ({ sim }) => sim?.state_changed_at,
  activated_at: ({ sim }) => sim?.activated_at,
  period_start: ({ sim }) => sim?.usage.period_start,
  bytes_up: ({ sim }) => sim?.usage.bytes_up,
  bytes_down: ({ sim }) => sim?.usage.bytes_down,
  period_bytes: ({ sim }) => sim?.usage.period_bytes,
  limit_bytes: ({ sim }) => sim?.usage.limit_bytes,
  network_group: ({ sim }) => sim?.network_group.name,
  ip: ({ sim }) => sim?.session?.ip,
  network: ({ sim }) => sim?.session?.network?.mccmnc,
  rat: ({ sim }) => sim?.session?.rat,
  data_pool: ({ sim }) => sim?.data_pool?.name,
  fleet: ({ fleet }) => fleet?.name,
  firmware: ({ firmware }) => firmware,
}

/** All assets that match, by name, as CSV. */
export async function* exportAssets(db: Db, viewer: Viewer, asked: Filter): AsyncGenerator<string> {
  yield* csvOf(assetSheet(db, await answerable(db, viewer, await knowTags(db, viewer, asked)), asked))
}

/** Refuses what the list refuses, before the first line. */
export async function needExportable(db: Db, viewer: Viewer, asked: Filter): Promise<void> {
  const filter = await knowTags(db, viewer, asked)
  await needAnswerable(db, await answerable(db, viewer, filter), filter)
  await needLists(db, viewer, filter)
}

/** All assets that match, by name: a thousand are in memory at a time. `total`: how many there are, where somebody knows. */
export function assetSheet(db: Db, viewer: Viewer, asked: Filter, total?: number): Sheet {
  let read = 0
  return {
    columns: Object.keys(columns),
    rows: rowsOf(db, viewer, asked, (count) => (read += count)),
    share: () => (total === undefined ? null : read / Math.max(total, 1)),
  }
}

async function* rowsOf(db: Db, viewer: Viewer, asked: Filter, counted: (count: number) => void): AsyncGenerator<Value[][]> {
  const filter = await knowTags(db, viewer, asked)
  const key = sql<string>`lower(asset.name)`
  for (let last: { id: string; key: string } | undefined, more = true; more;) {
    const beyond = last ? sql`and (${key}, asset.id) > (${last.key}, ${last.id})` : sql``
    const { rows } = await sql<{ id: string; key: string }>`select asset.id, ${key} as key from asset
      where ${matching(viewer, filter)} ${beyond} order by ${key}, asset.id limit ${rowsAtOnce}`.execute(db)
    const ids = rows.map((row) => row.id)
    const assets = await assetsByIds(db, viewer, ids)
    counted(assets.length)
    yield assets.map((asset) => Object.values(columns).map((column) => column(asset)))
    last = rows.at(-1)
    more = rows.length === rowsAtOnce
  }
}

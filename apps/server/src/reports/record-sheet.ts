import { dayOf } from '@masthead/contract/kernel/time'
import { sql, type RawBuilder } from 'kysely'
import { anyOf, knowTags, matching } from '../assets/index.ts'
import type { Db } from '../kernel/app.ts'
import type { Value } from '../kernel/http/csv.ts'
import type { Sheet } from '../kernel/sheet.ts'
import { describeSims, filterOf, isWhole, removed, simCells, simColumns, type Asked } from './asset-sims.ts'

type UsageRecord = {
  sim_id: string
  event_at: Date
  received_at: Date
  session_id: string
  mccmnc: string
  network: string | null
  country: string | null
  rat: string
  bytes_up: number
  bytes_down: number
}

const columns = ['event_at', 'received_at', 'session_id', 'mccmnc', 'network', 'country', 'rat', 'bytes_up', 'bytes_down'] as const
const cellsOf = (row: UsageRecord): Value[] => [
  row.event_at.toISOString(),
  row.received_at.toISOString(),
  row.session_id,
  row.mccmnc,
  row.network,
  row.country,
  row.rat,
  row.bytes_up,
  row.bytes_down,
]

/** So many rows are read at once at most, more than a block has, and about so many are aimed at. */
const most = 2500
const aim = 1500
/** 128 MB at most: where few of the records are the account's, others may do something between two parts. */
const mostBlocks = 16_384
/** Of so many SIMs the names are kept. */
const mostNames = 5000
const dayMs = 86_400_000

/**
 * Each usage record, about in the order in which they came. They have no index by account or SIM, because that was a sixth of the meter's work; they are never changed, and lie by the
 * day on which they came. So each block of them is read once, some at a time.
 */
export async function recordSheet(db: Db, asked: Asked): Promise<Sheet> {
  const { actor, start, end } = asked
  const of = isWhole(asked)
    ? sql`true`
    : sql`r.sim_id in (select sim.id from asset join sim on sim.account_id = asset.account_id and sim.asset_id = asset.id
        where ${matching(actor, await knowTags(db, actor, filterOf(asked.filter)))})`
  const which = sql`r.account_id = ${actor.account_id} and r.event_at >= ${start} and r.event_at < ${end} and ${of}`
  const days = await daysFrom(db, start)
  const total = days.reduce((sum, { blocks }) => sum + blocks, 0)
  let read = 0
  const cellsOfSims = namesOf(db, asked)
  async function* rows() {
    let size = 64
    for (const { day, blocks } of days)
      for (let at = 0; at < blocks;) {
        const upto = Math.min(blocks, at + size)
        const part = await readBlocks(db, day, at, upto, which)
        if (part.length === most) {
          size = Math.max(1, Math.floor(size / 4))
          continue
        }
        const names = await cellsOfSims(part)
        yield part.map((row) => [...cellsOf(row), ...names.get(row.sim_id)!])
        read += upto - at
        at = upto
        size = Math.min(mostBlocks, size * 4, Math.max(1, Math.round((size * aim) / Math.max(part.length, 1))))
      }
  }
  return { columns: [...columns, ...simColumns], rows: rows(), share: () => (total === 0 ? null : read / total) }
}

/** The days whose records may be of that time or later, and how much there is of each now. A record comes after what it is of, but for a clock that is a little ahead. */
async function daysFrom(db: Db, start: Date): Promise<{ day: string; blocks: number }[]> {
  const { rows } = await sql<{ day: string; blocks: number }>`select right(c.relname, 8)::date as day,
      (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as blocks
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_record'::regclass and right(c.relname, 8)::date >= ${dayOf(start.getTime() - dayMs)}::date order by 1`.execute(
    db
  )
  return rows
}

async function readBlocks(db: Db, day: string, from: number, upto: number, which: RawBuilder<unknown>): Promise<UsageRecord[]> {
  const midnight = new Date(day).getTime()
  const { rows } =
    await sql<UsageRecord>`select r.sim_id, r.event_at, r.received_at, r.session_id, r.mccmnc, n.name as network, n.country, r.rat, r.bytes_up, r.bytes_down
    from usage_record r left join network n on n.mccmnc = r.mccmnc
    where r.received_at >= ${new Date(midnight)} and r.received_at < ${new Date(midnight + dayMs)}
      and r.ctid >= ${`(${from},0)`}::tid and r.ctid < ${`(${upto},0)`}::tid and ${which}
    order by r.received_at, r.event_at limit ${most}`.execute(db)
  return rows
}

/** What is known of the SIMs of some records, by their ids. */
function namesOf(db: Db, { actor }: Asked): (part: readonly UsageRecord[]) => Promise<Map<string, Value[]>> {
  const known = new Map<string, Value[]>()
  return async (part) => {
    if (known.size > mostNames) known.clear()
    const missing = [...new Set(part.map(({ sim_id }) => sim_id))].filter((id) => !known.has(id))
    if (missing.length > 0)
      for (const sim of await describeSims(db, actor, sql`sim.id = ${anyOf(missing)}`)) known.set(sim.sim_id, simCells(sim))
    for (const id of missing) if (!known.has(id)) known.set(id, simCells(removed))
    return known
  }
}

import { sql } from 'kysely'
import type { ReportKind } from '@masthead/contract/reports/report'
import { activitySheet } from '../../activities/index.ts'
import { assetSheet } from '../../assets/index.ts'
import type { Db } from '../../kernel/app.ts'
import type { Value } from '../../kernel/http/csv.ts'
import type { Sheet } from '../../kernel/sheet.ts'
import { totalBytes, usageRows, type Period } from '../../usage/index.ts'
import { assetSims, countAssets, filterOf, simCells, simColumns, type Asked, type AssetSim, type Left } from './asset-sims.ts'
import { rowsOfSims, type RowsOfSim } from './rows-of-sims.ts'
import { recordSheet } from './record-sheet.ts'
import { costCells, costColumns, costEntries, costRows } from './cost-rows.ts'

/** The rows of a report, as who asked for it sees them when they are read. */
export const sheetOf = (db: Db, kind: ReportKind, asked: Asked): Promise<Sheet> => sheets[kind](db, asked)

const sheets: Record<ReportKind, (db: Db, asked: Asked) => Promise<Sheet>> = {
  usage: usageSheet,
  records: recordSheet,
  costs: costSheet,
  inventory: async (db, asked) => assetSheet(db, asked.actor, filterOf(asked.filter), await countAssets(db, asked)),
  sessions: sessionSheet,
  activities: async (db, { actor, start, end }) => activitySheet(db, actor, { start: start.toISOString(), end: end.toISOString() }),
  silent: silentSheet,
}

type OfSims = (sims: AssetSim[]) => AsyncIterable<Value[][]>

/** A sheet that goes through the SIMs of the assets that match. */
async function simSheet(db: Db, asked: Asked, columns: readonly string[], rowsOf: OfSims, left: Left | null = 'usage'): Promise<Sheet> {
  const total = await countAssets(db, asked)
  let looked = 0
  async function* rows() {
    for await (const sims of assetSims(db, asked, (assets) => (looked += assets), left)) yield* rowsOf(sims)
  }
  return { columns, rows: rows(), share: () => (total === 0 ? null : Math.min(1, looked / total)) }
}

const idsOf = (sims: readonly AssetSim[]) => sql`${sims.map(({ sim_id }) => sim_id)}::text[]`
/** Usage is kept by the hour, so a day that begins at half past begins with the hour. */
const hours = ({ start, end }: Period): Period => ({ start: floorHour(start), end: floorHour(end) })
const floorHour = (at: Date) => new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000)

type Used = { sim_id: string; bytes_up: number; bytes_down: number; bytes: number; countries: string | null }

/** What SIMs used in the period; those that used nothing are left out. */
async function usedBy(db: Db, { actor, start, end }: Asked, sims: readonly AssetSim[]): Promise<Map<string, Used>> {
  // Whose assets they are was asked when they were found.
  const all = { account_id: actor.account_id, tags: [] }
  const of = usageRows(all, hours({ start, end }), { only: sql`sim_id = any(${idsOf(sims)})` })
  const { rows } =
    await sql<Used>`select u.sim_id, sum(u.bytes_up) as bytes_up, sum(u.bytes_down) as bytes_down, sum(${totalBytes('u')}) as bytes,
      string_agg(distinct n.country, ' ' order by n.country) as countries
    from (${of}) u left join network n on n.mccmnc = u.mccmnc group by u.sim_id having sum(${totalBytes('u')}) > 0`.execute(db)
  return new Map(rows.map((row) => [row.sim_id, row]))
}

function usageSheet(db: Db, asked: Asked): Promise<Sheet> {
  return simSheet(db, asked, [...simColumns, 'status', 'bytes_up', 'bytes_down', 'bytes', 'countries'], async function* (sims) {
    const used = await usedBy(db, asked, sims)
    yield sims.map((sim) => {
      const { bytes_up = 0, bytes_down = 0, bytes = 0, countries = null } = used.get(sim.sim_id) ?? {}
      return [...simCells(sim), sim.status, bytes_up, bytes_down, bytes, countries]
    })
  })
}

/** Active now, and nothing used in the period: a SIM that was activated after it had no time to. */
function silentSheet(db: Db, asked: Asked): Promise<Sheet> {
  const of: OfSims = async function* (sims) {
    const should = sims.filter(({ state, activated_at }) => state === 'active' && (activated_at === null || activated_at < asked.end))
    if (should.length === 0) return
    const used = await usedBy(db, asked, should)
    yield should
      .filter(({ sim_id }) => !used.has(sim_id))
      .map((sim) => [...simCells(sim), sim.status, sim.activated_at?.toISOString(), sim.seen_at?.toISOString()])
  }
  return simSheet(db, asked, [...simColumns, 'status', 'activated_at', 'last_seen_at'], of, null)
}

/** A sheet of rows that SIMs have many of. */
function detailSheet<Row>(
  db: Db,
  asked: Asked,
  columns: readonly string[],
  rows: RowsOfSim<Row>,
  cells: (row: Row) => Value[],
  left: Left | null
) {
  const of: OfSims = async function* (sims) {
    const ofSim = new Map(sims.map((sim) => [sim.sim_id, simCells(sim)]))
    for await (const part of rowsOfSims(db, sims, rows)) yield part.map((row) => [...cells(row), ...ofSim.get(row.sim_id)!])
  }
  return simSheet(db, asked, [...columns, ...simColumns], of, left)
}

/** What SIMs cost, and then what is of none, or was given back. */
async function costSheet(db: Db, asked: Asked): Promise<Sheet> {
  const { rows: ofSims, ...sheet } = await detailSheet(db, asked, costColumns, costRows(asked), costCells, 'costs')
  async function* rows() {
    yield* ofSims
    yield* costEntries(db, asked)
  }
  return { ...sheet, rows: rows() }
}

type Session = {
  id: string
  started_at: Date
  ended_at: Date | null
  end_cause: string | null
  gateway: string
  apn: string | null
  ip: string | null
  mccmnc: string | null
  network: string | null
  country: string | null
  rat: string | null
  imei: string | null
  bytes_up: number
  bytes_down: number
}

function sessionSheet(db: Db, asked: Asked): Promise<Sheet> {
  const { actor, start, end } = asked
  const columns = [
    'session_id',
    'started_at',
    'ended_at',
    'end_cause',
    'gateway',
    'apn',
    'ip',
    'mccmnc',
    'network',
    'country',
    'rat',
    'imei',
  ]
  return detailSheet<Session>(
    db,
    asked,
    [...columns, 'bytes_up', 'bytes_down'],
    {
      select: sql`r.id, r.started_at, r.ended_at, r.end_cause, gateway.name as gateway, r.apn, host(r.ip) as ip, r.mccmnc, n.name as network, n.country,
        r.rat, r.imei, r.bytes_up, r.bytes_down`,
      // Of the asset that had the SIM then, as on its page.
      from: sql`data_session r join gateway on gateway.id = r.gateway_id left join network n on n.mccmnc = r.mccmnc
        join sim on sim.account_id = r.account_id and sim.id = r.sim_id and sim.asset_id = r.asset_id
        where r.account_id = ${actor.account_id} and r.started_at < ${end} and (r.ended_at is null or r.ended_at >= ${start})`,
      place: [
        { of: sql`r.started_at`, type: sql`timestamptz` },
        { of: sql`r.id`, type: sql`text` },
      ],
    },
    (row) => [
      row.id,
      row.started_at.toISOString(),
      row.ended_at?.toISOString(),
      row.end_cause,
      row.gateway,
      row.apn,
      row.ip,
      row.mccmnc,
      row.network,
      row.country,
      row.rat,
      row.imei,
      row.bytes_up,
      row.bytes_down,
    ],
    null
  )
}

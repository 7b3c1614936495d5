import { sql } from 'kysely'
import { assetHasNoSim } from '@masthead/contract/assets/problems'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Correction } from '@masthead/contract/usage/correction'
import { findAnyAsset } from '../index.ts'
import type { Share } from '../../datapools/index.ts'
import type { Db, Tx } from '../../kernel/app.ts'
import { limitNow } from '../../usage/index.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'

/** An asset of an account with the SIM in use. */
export type CorrectedSim = Awaited<ReturnType<typeof getAnySim>>

/** The SIM in use of whatever asset an id, a serial number or an ICCID names. Throws not_found, asset_has_no_sim. */
export async function getAnySim(db: Db, at: Date, key: string) {
  const limit = limitNow(at)
  const { account_id, id: asset_id, name: asset_name, email } = await findAnyAsset(db, key)
  const sim = await db
    .selectFrom('asset')
    .innerJoin('sim', (join) => join.onRef('sim.account_id', '=', 'asset.account_id').onRef('sim.id', '=', 'asset.sim_id'))
    .leftJoin('sim_limit as l', (join) => join.onRef('l.account_id', '=', 'sim.account_id').onRef('l.sim_id', '=', 'sim.id'))
    .leftJoin('sim_counter as c', (join) => join.onRef('c.account_id', '=', 'sim.account_id').onRef('c.sim_id', '=', 'sim.id'))
    .select(['sim.id as sim_id', 'sim.iccid', 'sim.blocks', 'sim.created_at as since', 'l.period as limit_period'])
    .select([limit.allows.as('limit_bytes'), limit.used.as('limit_used')])
    .where('asset.account_id', '=', account_id)
    .where('asset.id', '=', asset_id)
    .executeTakeFirst()
  if (!sim) throw new Problem(assetHasNoSim)
  return { account_id, asset_id, asset_name, email, ...sim }
}

const correctionsOf = (db: Db, account_id: string) =>
  db.selectFrom('usage_correction as correction').where('correction.account_id', '=', account_id)

const inFull = (corrections: ReturnType<typeof correctionsOf>) =>
  corrections
    .leftJoin('sim', (join) => join.onRef('sim.account_id', '=', 'correction.account_id').onRef('sim.id', '=', 'correction.sim_id'))
    .select(['correction.id', 'correction.created_at', 'correction.by_email', 'correction.asset_id', 'sim.iccid', 'correction.day'])
    .select(['correction.bytes_up', 'correction.bytes_down', 'correction.mccmnc', 'correction.rat', 'correction.reason'])
    .select(['correction.adjustment_month', 'correction.undoes'])
    .select(
      sql<string | null>`(select u.id from usage_correction u where u.account_id = correction.account_id and u.undoes = correction.id)`.as(
        'undone_by'
      )
    )

type Row = Omit<Correction, 'at' | 'by'> & { created_at: Date; by_email: string }
const asCorrection = ({ created_at, by_email, ...row }: Row): Correction => ({ ...row, at: created_at.toISOString(), by: by_email })

/** What was corrected of an asset, the latest first. */
export async function listCorrections(
  db: Db,
  { account_id, asset_id }: { account_id: string; asset_id: string },
  query: PageQuery
): Promise<Page<Correction>> {
  return pageByKey(db, query, {
    name: 'corrections',
    all: correctionsOf(db, account_id).where('correction.asset_id', '=', asset_id),
    keys: [{ of: sql.ref('correction.id'), is: 'text' }],
    order: 'desc',
    rows: inFull,
    items: (rows) => rows.map(asCorrection),
  })
}

/** One of an asset's corrections. Throws not_found. */
export async function getCorrection(db: Db, { account_id, asset_id }: { account_id: string; asset_id: string }, id: string) {
  const row = await inFull(correctionsOf(db, account_id))
    .select('correction.sim_id')
    .where('correction.asset_id', '=', asset_id)
    .where('correction.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Problem(notFound)
  const { sim_id, ...correction } = row
  return { sim_id, correction: asCorrection(correction) }
}

type Booked = { account_id: string; sim_id: string; correction_id: string; undoes: string | null }

/**
 * What a correction moved in each network, and in each hour of that. Of a day without any, what is added is where the SIM was seen last, and what takes that back is
 * where it was seen last then. What is subtracted otherwise is of any network (empty), and comes after what is of one.
 */
export async function sharesOf(tx: Tx, { account_id, sim_id, correction_id, undoes }: Booked, bytes: number): Promise<Share[]> {
  const first = undoes === null || bytes > 0 ? undefined : await firstOf(tx, account_id, undoes)
  // Ids say when each was made.
  const isMeant = first && first.bytes > 0 ? sql`substr(s.id, 5) < substr(${first.id}::text, 5)` : sql`${bytes > 0}::boolean`
  const { rows } = await sql<
    Required<Share>
  >`select mccmnc, sum(bytes) as bytes, json_agg(json_build_object('from', "from", 'bytes', bytes) order by "from") as hours
    from (select mccmnc, extract(epoch from hour) * 1000 as "from", sum(bytes) as bytes from (
      select p.hour, coalesce(nullif(p.mccmnc, ''), (select s.mccmnc from data_session s where s.account_id = ${account_id} and s.sim_id = ${sim_id}
          and ${isMeant} order by s.id desc limit 1), '') as mccmnc, p.bytes_up + p.bytes_down as bytes
      from usage_correction_part p where p.account_id = ${account_id} and p.correction_id = ${correction_id}
    ) moved group by 1, 2) by_hour group by 1 order by sum(bytes) < 0 and mccmnc = '', 2 desc, 1`.execute(tx)
  if (rows.length === 1 || rows.every((row) => Math.sign(row.bytes) === Math.sign(bytes))) return rows.map(byHourWhereAlike)
  // Upload added and download subtracted may be of two networks: then what is added is of the one with the most, and what is subtracted of all.
  return [{ mccmnc: bytes > 0 ? rows[0]!.mccmnc : '', bytes }]
}

/** Upload added and download subtracted may be of two hours: then which pool it is of is said of the day. */
const byHourWhereAlike = ({ hours, ...share }: Required<Share>): Share =>
  hours.some((each) => each.bytes * share.bytes < 0) ? share : { ...share, hours }

/** The correction that others undid and made again in turn, up to this one. */
async function firstOf(tx: Tx, account_id: string, id: string) {
  const { rows } = await sql<{ id: string; bytes: number }>`with recursive chain as (
      select id, undoes, bytes_up + bytes_down as bytes from usage_correction where account_id = ${account_id} and id = ${id}
      union all select c.id, c.undoes, c.bytes_up + c.bytes_down from chain join usage_correction c on c.account_id = ${account_id} and c.id = chain.undoes
    ) select id, bytes from chain where undoes is null`.execute(tx)
  return rows[0]!
}

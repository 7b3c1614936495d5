import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../kernel/app.ts'
import type { AssetSim } from './asset-sims.ts'

/** So many rows are read at once at most, and about so many are aimed at. */
const most = 2500
const aim = 1500
const mostSims = 500

/** `place`: what puts the rows of a SIM in order, by an index, the last of it unique. Each is compared in its own type. */
export type RowsOfSim<Row> = {
  select: RawBuilder<Row>
  /** Table, joins and conditions; `r.sim_id` is the SIM. */
  from: RawBuilder<unknown>
  place: readonly { of: RawBuilder<unknown>; type: RawBuilder<unknown> }[]
}

/**
 * The rows of some SIMs, those of one after those of another, each SIM's in order. As many SIMs are asked for at once as have some thousand rows
 * together, and one that has more is read part by part, so that memory does not depend on how many rows a SIM has.
 */
export async function* rowsOfSims<Row>(
  db: Db,
  sims: readonly AssetSim[],
  { select, from, place }: RowsOfSim<Row>
): AsyncGenerator<(Row & { sim_id: string })[]> {
  const keys = sql.join(place.map(({ of }) => of))
  const asText = sql.join(place.map(({ of }) => sql`${of}::text`))
  let size = 50
  // Of the SIMs that are asked for, in all their parts.
  let read = 0
  let after: string[] | undefined
  for (let at = 0; at < sims.length;) {
    const ids = sims.slice(at, at + size).map(({ sim_id }) => sim_id)
    const beyond = after ? sql`and (${keys}) > (${sql.join(place.map(({ type }, i) => sql`${after![i]}::${type}`))})` : sql``
    // Where a part ends is asked only of one SIM: to read it from each row takes as long as the rest of it.
    const ofOne = ids.length === 1 ? sql`array[${asText}]` : sql`null::text[]`
    const { rows } = await sql<Row & { sim_id: string; place: string[] | null }>`select r.sim_id, ${ofOne} as place, ${select}
      from ${from} and r.sim_id = any(${ids}::text[]) ${beyond} order by r.sim_id, ${keys} limit ${most}`.execute(db)
    if (rows.length === most && ids.length > 1) {
      size = Math.max(1, Math.floor(ids.length / 4))
      continue
    }
    yield rows
    read += rows.length
    after = rows.length === most ? rows.at(-1)!.place! : undefined
    if (after) continue
    at += ids.length
    size = Math.min(mostSims, Math.max(1, Math.round((ids.length * aim) / Math.max(read, 1))))
    read = 0
  }
}

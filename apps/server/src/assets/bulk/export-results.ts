import { sql } from 'kysely'
import { visibleTo } from '../index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { csvLine } from '../../kernel/http/csv.ts'
import type { LeftReason } from '@masthead/contract/assets/bulk/bulk'
import { leftWords } from '@masthead/contract/assets/bulk/left-words'

type Row = {
  asset_id: string
  name: string | null
  serial: string | null
  iccid: string | null
  outcome: 'changed' | LeftReason | null
  line: number | null
  words: string | null
}

/** What became of each asset of a change, in the order it comes to them; those still to come have no outcome. */
export async function* exportResults(db: Db, actor: Actor, id: string): AsyncGenerator<string> {
  yield csvLine(['line', 'asset_id', 'name', 'serial', 'iccid', 'outcome', 'words'])
  for (let part = 0; ; part++) {
    const { rows } = await sql<Row>`select given.id as asset_id, coalesce(asset.name, given.was ->> 'name') as name,
        coalesce(asset.serial, given.was ->> 'serial') as serial, coalesce(sim.iccid, given.was ->> 'iccid') as iccid, given.outcome,
        (given.wish ->> 'line')::int as line, given.wish ->> 'wrong' as words
      from (select id, outcome, nth, part.wishes -> (nth::int - 1) as wish, part.before -> (nth::int - 1) -> 'was' as was
        from bulk_change_part part,
          unnest(part.asset_ids, part.outcomes) with ordinality as each (id, outcome, nth)
        where part.account_id = ${actor.account_id} and part.bulk_id = ${id} and part.part = ${part}) given
      left join asset on asset.id = given.id and ${visibleTo(actor)}
      left join sim on sim.account_id = asset.account_id and sim.id = asset.sim_id order by given.nth`.execute(db)
    if (rows.length === 0) return
    yield rows.map((row) => csvLine([row.line, row.asset_id, row.name, row.serial, row.iccid, row.outcome, wordsOf(row)])).join('')
  }
}

/** Why it was left: what is wrong with its row, else its outcome in words. */
const wordsOf = ({ outcome, words, line }: Row): string | null =>
  words ?? (outcome === null || outcome === 'changed' ? null : leftWords(outcome, line !== null))

import { dayOf } from '@masthead/contract/kernel/time'
import type { getCorrectionPreview as previewOp } from '@masthead/contract/backoffice/correction-operations'
import { nothingCounted } from '@masthead/contract/backoffice/problems'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { adjustmentMonth, type CorrectionPreview } from '@masthead/contract/usage/correction'
import type { Actor, Db } from '../../kernel/app.ts'
import { floorTo, sumDay } from '../../usage/index.ts'
import { getAnySim, type CorrectedSim } from './correction-queries.ts'
import { belowZeroWords, dayFault } from './correction-words.ts'

type Query = Parsed<typeof previewOp>['query']

/** What a correction would do now, or why it would be refused. Throws not_found, asset_has_no_sim. */
export async function getCorrectionPreview(db: Db, { at }: Pick<Actor, 'at'>, key: string, query: Query): Promise<Reply<typeof previewOp>> {
  const { day, mccmnc = null, rat = null, ...change } = query
  const sim = await getAnySim(db, at, key)
  const { account_id, sim_id } = sim
  const sums = await sumDay(db, { account_id, sim_id, day, mccmnc, rat }, change)
  const all = mccmnc === null && rat === null ? sums : await sumDay(db, { account_id, sim_id, day, mccmnc: null, rat: null }, change)
  const counter = await db
    .selectFrom('sim_counter')
    .select(['period_start', 'bytes_up', 'bytes_down'])
    .where('account_id', '=', account_id)
    .where('sim_id', '=', sim_id)
    .executeTakeFirst()
  const { bytes_up, bytes_down, after_up, after_down, short } = sums
  const refused = dayFault(sim, day, at) ?? (counter ? (short ? belowZeroWords(day, sums) : null) : nothingCounted.title)
  const running = dayOf(floorTo('month', at))
  const used = counter && counter.period_start >= running ? counter.bytes_up + counter.bytes_down : 0
  const after = used + change.bytes_up + change.bytes_down
  const inMonth = day.slice(0, 7) === running.slice(0, 7)
  const isOfLimit = sim.limit_period === 'day' ? day === dayOf(at) : inMonth
  return {
    refused,
    before: { bytes_up, bytes_down },
    after: refused ? null : { bytes_up: after_up, bytes_down: after_down },
    networks: all.networks,
    month: inMonth
      ? { bytes_before: used, bytes_after: refused ? null : after, limit_bytes: sim.limit_period === 'month' ? sim.limit_bytes : null }
      : null,
    block: blockAfter(sim, refused || !isOfLimit ? 0 : change.bytes_up + change.bytes_down),
    adjustment_month: adjustmentMonth(day, at),
  }
}

/** What becomes of the data limit's block when what is used of the limit changes. */
function blockAfter({ blocks, limit_bytes, limit_used }: CorrectedSim, change: number): CorrectionPreview['block'] {
  const reached = limit_bytes !== null && limit_used + change >= limit_bytes
  if (blocks.some((block) => block.code === 'data_limit')) return reached ? 'kept' : 'lifted'
  return reached ? 'set' : 'none'
}

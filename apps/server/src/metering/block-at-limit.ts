import { simBlocked } from '@masthead/contract/assets/events'
import type { SimBlock } from '@masthead/contract/assets/sim'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { systemActor, type Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { monthOf, nextMonth } from './month.ts'

/** Blocks a SIM whose month has reached its limit. Does nothing when that is no longer so, or when it is blocked for it already. */
export async function blockAtLimit(tx: Tx, account_id: string, sim_id: string, at: Date): Promise<void> {
  const sim = await tx
    .selectFrom('sim')
    .select(['iccid', 'asset_id', 'limit_bytes', 'blocks'])
    .where('account_id', '=', account_id)
    .where('id', '=', sim_id)
    .forUpdate()
    .executeTakeFirst()
  if (!sim || sim.limit_bytes === null || sim.blocks.some((block) => block.code === 'data_limit')) return
  const counter = await tx
    .selectFrom('sim_counter')
    .select(['period_start', 'bytes_up', 'bytes_down'])
    .where('account_id', '=', account_id)
    .where('sim_id', '=', sim_id)
    .executeTakeFirstOrThrow()
  const used = counter.bytes_up + counter.bytes_down
  if (used < sim.limit_bytes || counter.period_start < monthOf(at.getTime())) return
  const block: SimBlock = {
    code: 'data_limit',
    since: at.toISOString(),
    by: 'system',
    words: `Used ${formatBytes(used)} of ${formatBytes(sim.limit_bytes)} this month`,
    clears: `On ${dayInWords(nextMonth(counter.period_start))}, 00:00 UTC, or when the limit is raised`,
  }
  await tx
    .updateTable('sim')
    .set({ blocks: JSON.stringify([...sim.blocks, block]) })
    .where('account_id', '=', account_id)
    .where('id', '=', sim_id)
    .execute()
  const { name } = await tx
    .selectFrom('asset')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', sim.asset_id)
    .executeTakeFirstOrThrow()
  await record(tx, systemActor(account_id, at), simBlocked, {
    sim_id,
    iccid: sim.iccid,
    asset_id: sim.asset_id,
    asset_name: name,
    code: 'data_limit',
    words: block.words,
  })
}

const dayInWords = (day: Date) => day.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

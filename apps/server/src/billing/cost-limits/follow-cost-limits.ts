import { sql } from 'kysely'
import type { App } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { followCostCaps } from './block-at-caps.ts'

const simsAtOnce = 1000

/** Brings SIMs and their sessions in step with what an account allows data to cost. May be repeated, and come late. */
export async function followCostLimits(app: App, { account_id }: { account_id: string }): Promise<void> {
  await followCostCaps(app, account_id)
  await judgePrices(app, account_id)
}

/** Has the open sessions of an account checked by jobs of their own, as whoever locks sessions does so before SIMs. */
async function judgePrices({ db }: App, account_id: string) {
  for (let after = ''; ;) {
    const { rows } = await sql<{ sim_id: string }>`select distinct sim_id from data_session
      where account_id = ${account_id} and ended_at is null and sim_id > ${after} order by 1 limit ${simsAtOnce}`.execute(db)
    if (rows.length === 0) return
    const sim_ids = rows.map(({ sim_id }) => sim_id)
    await db.transaction().execute((tx) => addJob(tx, 'judge_sessions', { account_id, sim_ids }))
    after = sim_ids.at(-1)!
  }
}

/** The same of all accounts that refuse what is expensive, once prices may be others. */
export async function followAllPrices(app: App): Promise<void> {
  const limited = app.db.selectFrom('balance_rule').select('account_id').where('most_price_micros', 'is not', null)
  for (const { account_id } of await limited.where('price_action', '=', 'refuse').execute()) await judgePrices(app, account_id)
}

import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { UsedNetwork } from '@masthead/contract/assets/connection'
import { networkRefusal, type NetworkRules } from '@masthead/contract/network-groups/rules'
import type { Db } from '../../kernel/app.ts'
import { networksOf } from '../../networks/index.ts'
import { rulesOfSim } from '../../network-groups/index.ts'
import { usagePeriod, usageRows } from '../../usage/index.ts'
import { anyOf, type Viewer } from '../viewer.ts'

const shown = 30 * 86_400_000 // ms

type Row = { mccmnc: string; rat: string; bytes_up: number; bytes_down: number; last_day: string; pool_refusal: string | null }

/** What an asset used of each operator in the last 30 days, the most first, and whether its group and its data pools allow that now. */
export async function listUsedNetworks(db: Db, { account_id, at }: Viewer, asset_id: string): Promise<UsedNetwork[]> {
  const sims = await db.selectFrom('sim').select('id').where('account_id', '=', account_id).where('asset_id', '=', asset_id).execute()
  const period = usagePeriod({ start: new Date(at.getTime() - shown).toISOString(), end: at.toISOString() }, 'day', at)
  // Whoever sees the asset sees its SIMs: no tags here.
  const only = sql<boolean>`sim_id = ${anyOf(sims.map(({ id }) => id))}`
  const { rows } = await sql<Row>`select mccmnc, rat, sum(bytes_up)::bigint as bytes_up, sum(bytes_down)::bigint as bytes_down,
      max((at at time zone 'UTC')::date) as last_day,
      case when mccmnc <> '' then pool_refusal(${account_id}, min(sim_id), mccmnc, ${dayOf(at.getTime())}::date) end as pool_refusal
    from (${usageRows({ account_id, tags: [] }, period, { by: 'day', only })}) u
    group by 1, 2 order by sum(bytes_up::numeric + bytes_down) desc, 1, 2`.execute(db)
  const networks = await networksOf(
    db,
    rows.map(({ mccmnc }) => mccmnc || null)
  )
  const rules: NetworkRules | null = await rulesOfSim(db, account_id, asset_id)
  return rows.map(({ mccmnc, rat, pool_refusal, ...row }) => ({
    ...row,
    network: mccmnc === '' ? null : networks.get(mccmnc)!,
    rat: rat || null,
    forbidden: (rules && networkRefusal(rules, { mccmnc: mccmnc || null, rat: rat || null })?.words) ?? pool_refusal,
  }))
}

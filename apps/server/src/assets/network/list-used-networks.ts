import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { UsedNetwork } from '@masthead/contract/assets/connection'
import { networkRefusal, type NetworkRules } from '@masthead/contract/network-groups/rules'
import type { Db } from '../../kernel/app.ts'
import { networksOf } from '../../networks/index.ts'
import { rulesOfSim } from '../../network-groups/index.ts'
import type { Viewer } from '../viewer.ts'

const shown = 30 * 86_400_000 // ms

type Row = { mccmnc: string; rat: string; bytes_up: number; bytes_down: number; last_day: string; pool_refusal: string | null }

/** What an asset used of each operator in the last 30 days, the most first, and whether its group and its data pools allow that now. */
export async function listUsedNetworks(db: Db, { account_id, at }: Viewer, asset_id: string): Promise<UsedNetwork[]> {
  const since = dayOf(at.getTime() - shown)
  const { rows } =
    await sql<Row>`select u.mccmnc, u.rat, sum(u.bytes_up) as bytes_up, sum(u.bytes_down) as bytes_down, max(u.day) as last_day,
      case when u.mccmnc <> '' then pool_refusal(${account_id}, min(s.id), u.mccmnc, ${at.toISOString().slice(0, 10)}::date) end as pool_refusal
    from sim s join usage_day u on u.account_id = s.account_id and u.sim_id = s.id
    where s.account_id = ${account_id} and s.asset_id = ${asset_id} and u.day >= ${since}::date
    group by 1, 2 order by sum(u.bytes_up::numeric + u.bytes_down) desc, 1, 2`.execute(db)
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

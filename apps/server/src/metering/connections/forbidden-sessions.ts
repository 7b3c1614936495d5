import { sql } from 'kysely'
import { networkRefusal, type NetworkRules } from '@masthead/contract/network-groups/rules'
import { askForCuts, type SimOf } from '../../assets/service/index.ts'
import type { Tx } from '../../kernel/app.ts'
import { rulesOf } from '../meter-sims.ts'
import { dayOf } from '../reading.ts'

type Row = {
  account_id: string
  id: string
  mccmnc: string | null
  rat: string | null
  forbidden: string | null
  rules: NetworkRules | null
  pool_refusal: string | null
}

/**
 * Of SIMs whose group is another, or allows something else, or one of whose data pools was used up or has data again, or whose account allows other prices: says of each open session whether it may be where it is, and has those cut that may not.
 * That a device moves to such a network while its session goes on, the meter sees itself.
 */
export async function judgeSessions(tx: Tx, sims: readonly SimOf[], at: Date): Promise<void> {
  if (sims.length === 0) return
  const { rows } = await sql<Row>`select x.account_id, x.id, x.mccmnc, x.rat, x.forbidden, ${sql.raw(rulesOf('s'))} as rules,
      pool_refusal(s.account_id, s.id, case when s.pool_id is null then coalesce(x.mccmnc, '') else x.mccmnc end, ${dayOf(at.getTime())}::date) as pool_refusal
    from unnest(${sims.map((sim) => sim.account_id)}::text[], ${sims.map((sim) => sim.sim_id)}::text[]) as k(account_id, id)
      join sim s on s.account_id = k.account_id and s.id = k.id
      join data_session x on x.account_id = s.account_id and x.sim_id = s.id and x.ended_at is null and not x.superseded`.execute(tx)
  const judged = rows.map((row) => ({ ...row, now: (row.rules && networkRefusal(row.rules, row)?.words) ?? row.pool_refusal }))
  const changed = judged
    .filter(({ forbidden, now }) => forbidden !== now)
    .toSorted((a, b) => (a.account_id + a.id < b.account_id + b.id ? -1 : 1))
  if (changed.length > 0)
    await sql`update data_session x set forbidden = k.forbidden
      from unnest(${changed.map((row) => row.account_id)}::text[], ${changed.map((row) => row.id)}::text[], ${changed.map((row) => row.now)}::text[])
        as k(account_id, id, forbidden) where x.account_id = k.account_id and x.id = k.id`.execute(tx)
  const forbidden = changed.filter(({ now }) => now !== null)
  if (forbidden.length > 0) await askForCuts(tx, forbidden, at)
}

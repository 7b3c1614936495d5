import { sql } from 'kysely'
import type { Quarantined } from '@masthead/contract/backoffice/quarantine-operations'
import type { Db } from '../../kernel/app.ts'
import { beganAfter, type Reading } from '../../metering/index.ts'

/**
 * The SIM that a session under the same id is counted for. `iccid`: null where it has left its account. `named`: the ICCID of the SIM that has the IMSI
 * which the quarantined packets name, in an account or in stock, where that is another one.
 */
export type Holder = { sim_id: string; iccid: string | null; named: string | null }

/** By row: whose session has its id. It was not over when what is quarantined began, so that this can be counted for no other SIM. Rows without one are left out. */
export async function holdersOf(db: Db, ids: readonly string[]): Promise<Map<string, Holder>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Holder & { id: string; last_packet: Reading; ended_at: Date | null }>`
    select q.id, q.last_packet, s.ended_at, s.sim_id, sim.iccid, coalesce(case when named.id <> s.sim_id then named.iccid end, stock.iccid) as named
    from quarantine q
    cross join lateral (
      select account_id, sim_id, ended_at from data_session
      -- Also of a gateway that was joined to it and is not moved yet.
      where gateway_id in (select id from gateway where id = q.gateway_id or joined_into = q.gateway_id)
        and nas = q.nas and acct_session_id = q.acct_session_id and not superseded
      order by heard_at desc limit 1) s
    left join sim on sim.account_id = s.account_id and sim.id = s.sim_id
    left join sim_imsi i on i.imsi = q.imsi
    left join sim named on named.account_id = i.account_id and named.id = i.sim_id
    left join inventory stock on stock.imsis @> array[q.imsi] and stock.asset_id is null
    where q.id = any(${ids}::text[]) and q.kind = 'unknown'`.execute(db)
  const held = rows.filter(
    ({ ended_at, last_packet }) => !ended_at || !beganAfter({ ended_at: ended_at.getTime(), updated_at: 0 }, last_packet)
  )
  return new Map(held.map(({ id, sim_id, iccid, named }) => [id, { sim_id, iccid, named }]))
}

/** 1 PB: a tenth of what can be summed without rounding. */
const mostAccepted = 1e15

type Row = Pick<Quarantined, 'kind' | 'counted_by'> & { counter_up: number; counter_down: number }

/** Why it can be counted for no SIM, in words; null: it can. */
export function whyNotCounted({ kind, counted_by, counter_up, counter_down }: Row, held: Holder | undefined): string | null {
  if (kind === 'unstorable') return 'The database refused this packet: it holds no usage that can be counted'
  if (kind === 'elsewhere')
    return `This session is counted at ${counted_by ?? 'another gateway'}. If the two gateways are one, join them on the gateways screen`
  if (Math.max(counter_up, counter_down) > mostAccepted) return 'No session uses a petabyte: discard it'
  if (!held) return null
  if (held.iccid === null) return 'The session with this id is counted for a SIM that has left its account'
  return held.named === null
    ? null
    : `The session with this id is counted for SIM ${held.iccid}, and this number is of SIM ${held.named}. Give each gateway a NAS-Identifier of its own`
}

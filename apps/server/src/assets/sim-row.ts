import type { ImeiLock } from '@masthead/contract/assets/device'
import { inOrder, type LimitPeriod, type Sim, type SimBlock, type SimState, type SimStatus } from '@masthead/contract/assets/sim'
import { toSession, toTime, type SessionRow } from './session-row.ts'

/** The billing period a time is in: a calendar month in UTC. */
export const monthOf = (at: Date) => ({
  start: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())),
  end: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)),
})

/** A billing period as the wire has it. */
export type Period = { start: string; end: string }

export const periodOf = (at: Date): Period => {
  const { start, end } = monthOf(at)
  return { start: start.toISOString(), end: end.toISOString() }
}

/** A SIM with its counter and its live session, if it has one, as JSON. */
export type SimRow = {
  sim_id: string
  iccid: string
  msisdn: string | null
  eid: string | null
  imei: string | null
  imei_lock: ImeiLock
  own_imei_lock: ImeiLock | null
  imeis: string[]
  test_bytes: number | null
  state: SimState
  status: SimStatus
  state_changed_at: string | null
  state_changed_by: string | null
  activated_at: string | null
  pool_id: string | null
  pool_name: string | null
  group_id: string
  group_name: string
  group_apn: string | null
  limit_period: LimitPeriod | null
  limit_bytes: number | null
  limit_used: number
  limit_scope: 'sim' | 'group' | null
  usual_limit: number | null
  blocks: SimBlock[]
  imsis: string[]
  period_start: string | null
  bytes_up: number | null
  bytes_down: number | null
  lifetime: number | null
  seen_at: string | null
  session: SessionRow | null
  refused: { at: string; words: string | null } | null
}

/** A SIM as the wire has it. A counter of an earlier month means that nothing was used in this one. */
export function toSim(row: SimRow, period: Period, at: Date): Sim {
  const counted = row.period_start !== null && row.period_start >= period.start.slice(0, 10)
  const bytes_up = counted ? row.bytes_up! : 0
  const bytes_down = counted ? row.bytes_down! : 0
  return {
    id: row.sim_id,
    iccid: row.iccid,
    imsi: row.imsis[0] ?? null,
    imsis: row.imsis,
    msisdn: row.msisdn,
    eid: row.eid,
    imei: row.imei,
    imei_lock: { mode: row.imei_lock, own: row.own_imei_lock, imeis: row.imeis },
    state: row.state,
    status: row.status,
    state_changed_at: toTime(row.state_changed_at),
    state_changed_by: row.state_changed_by,
    activated_at: toTime(row.activated_at),
    test: row.state === 'ready' && row.test_bytes !== null ? { allowance_bytes: row.test_bytes, used_bytes: row.lifetime ?? 0 } : null,
    blocks: inOrder(row.blocks),
    usage: {
      period_start: period.start,
      period_end: period.end,
      period_bytes: bytes_up + bytes_down,
      bytes_up,
      bytes_down,
      limit_bytes: row.limit_bytes,
      limit_period: row.limit_period,
      limit_used_bytes: row.limit_bytes === null ? null : row.limit_used,
      limit_of:
        row.limit_scope === null
          ? null
          : { scope: row.limit_scope, raised: row.limit_bytes !== row.usual_limit, usual_bytes: row.usual_limit! },
    },
    session: row.session && toSession(row.session, at),
    refused: row.refused && { at: toTime(row.refused.at), words: row.refused.words },
    network_group: { id: row.group_id, name: row.group_name, apn: row.group_apn },
    data_pool: row.pool_id === null ? null : { id: row.pool_id, name: row.pool_name! },
  }
}

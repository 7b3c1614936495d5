import { gatewaySilentAfter } from '@masthead/contract/backoffice/gateway-operations'
import { silentAfterSeconds } from '@masthead/contract/assets/sim'
import { type RawBuilder, sql } from 'kysely'

/**
 * SQL, of a gateway by its id in the query around: an array of that and the ids of those that were joined to it, of which a job may not have moved
 * every session yet.
 */
export const partsOf = (gateway_id: RawBuilder<unknown>): RawBuilder<string[]> =>
  sql`array(select part.id from gateway part where part.id = ${gateway_id} or part.joined_into = ${gateway_id})`

/**
 * SQL, of a gateway by its id in the query around: it says nothing although it has sessions to report. Nothing came from it for 15 minutes, nor for three of the
 * intervals of one of its open sessions.
 */
export function isOverdue(gateway_id: RawBuilder<unknown>, at: Date): RawBuilder<boolean> {
  // As `past` has it: a time of far ahead is as good as long past.
  const received = sql`coalesce((select max(a.heard_at) from gateway_address a
    where a.gateway_id = ${gateway_id} and a.heard_at <= ${at}::timestamptz + interval '1 day'), '-infinity')`
  // Sessions are not read of one that was seen just now: it may have a million.
  return sql<boolean>`(${received} <= ${new Date(at.getTime() - gatewaySilentAfter * 1000)}::timestamptz
    and exists (select from data_session s where s.gateway_id = any(${partsOf(gateway_id)}) and s.ended_at is null
      and ${received} <= ${at}::timestamptz - coalesce(3 * s.interim_seconds, ${silentAfterSeconds(null)}) * interval '1 second'))`
}

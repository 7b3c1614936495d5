import { sql } from 'kysely'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { countCap } from '@masthead/contract/kernel/page'
import type { listSilentSims as promise } from '@masthead/contract/usage/network-operations'
import * as z from 'zod/mini'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { cappedTotal, decodeCursor, encodeCursor, offsetOf } from '../kernel/http/paging.ts'
import { shareMoment } from './large-account.ts'
import { usagePeriod, type Period } from './usage-period.ts'
import { silentSims } from './usage-queries.ts'

type Query = Parsed<typeof promise>['query']
type Row = { asset_id: string; name: string; place: string; iccid: string; sent_at: Date | null; seen_at: Date | null; blocked: boolean }

/** Name in lower case and SIM of the last one given. */
const Place = z.tuple([z.string(), z.string()])

/** Active SIMs without a byte in a period, by the names of their assets. */
export async function listSilentSims(db: ReadDb, actor: Actor, query: Query): Promise<Reply<typeof promise>> {
  const period = usagePeriod(query, query.interval, actor.at)
  const { page, page_size, after } = query
  return shareMoment(db, actor, ['silent SIMs', { page, page_size, after, ...period }], (tx) => readSilentSims(tx, actor, query, period))
}

async function readSilentSims(db: Db, actor: Actor, query: Query, period: Period): Promise<Reply<typeof promise>> {
  const { account_id } = actor
  const after = decodeCursor(query.after, () => Place)
  const follows = after ? sql`(lower(a.name), s.id) > (${after[0]}, ${after[1]})` : sql`true`
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from (select from ${silentSims(actor, period)} limit ${countCap + 1}) c`.execute(db)
  const { rows } = await sql<Row & { sim_id: string }>`
    select s.asset_id, a.name, lower(a.name) as place, s.id as sim_id, s.iccid, k.until as sent_at, c.seen_at, s.blocks <> '[]' as blocked
    from (select sim.id from ${silentSims(actor, period)}) silent
      join sim s on s.account_id = ${account_id} and s.id = silent.id
      join asset a on a.account_id = ${account_id} and a.id = s.asset_id
      left join sim_sent k on k.account_id = ${account_id} and k.sim_id = s.id
      left join sim_counter c on c.account_id = ${account_id} and c.sim_id = s.id
    where ${follows} order by lower(a.name), s.id limit ${query.page_size + 1} offset ${offsetOf(query)}`.execute(db)
  const shown = rows.slice(0, query.page_size)
  const last = shown.at(-1)
  return {
    items: shown.map(({ asset_id, name, iccid, sent_at, seen_at, blocked }) => ({
      asset_id,
      name,
      iccid,
      sent_at: sent_at?.toISOString() ?? null,
      seen_at: seen_at?.toISOString() ?? null,
      blocked,
    })),
    ...cappedTotal(counted[0]!.count),
    next: rows.length > shown.length ? encodeCursor([last!.place, last!.sim_id]) : null,
  }
}

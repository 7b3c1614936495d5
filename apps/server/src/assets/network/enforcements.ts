import { sql, type RawBuilder } from 'kysely'
import type { Enforcement, EnforcementFigures } from '@masthead/contract/assets/enforcement'
import type { getEnforcementFigures, listEnforcements as listOp } from '@masthead/contract/assets/enforcement-operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { Actor, Db } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { visibleTo, type Viewer } from '../viewer.ts'

const day = 86_400_000
const ms = (from: string, to: string) => sql<number | null>`round(extract(epoch from ${sql.ref(to)} - ${sql.ref(from)}) * 1000)::int8`

/** Where no session was cut nothing was held up: that took no time, and is no figure. Who was asked is not kept of what is older than that. */
const latency = sql<number | null>`case when e.asked_at is not null or e.used_bytes is null then ${ms('e.reached_at', 'e.cut_at')} end`

/** Enforcements `e` that a viewer sees, with their assets and SIMs: those of assets they see. One of an asset that is gone is in no list, total or figure. */
export const enforcementsSeen = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('enforcement as e')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'e.account_id').onRef('asset.id', '=', 'e.asset_id'))
    .innerJoin('sim', (join) => join.onRef('sim.account_id', '=', 'e.account_id').onRef('sim.id', '=', 'e.sim_id'))
    .where('e.account_id', '=', viewer.account_id)
    .where(visibleTo(viewer))

type Seen = ReturnType<typeof enforcementsSeen>

/** Enforcements with the names of their assets. */
export const inFull = (enforcements: Seen) =>
  enforcements
    .select(['e.id', 'e.asset_id', 'asset.name as asset_name', 'sim.iccid', 'e.limit_bytes', 'e.period as limit_period', 'e.period_start'])
    .select([
      'e.by_change',
      'e.group_name',
      'e.pool_id',
      'e.pool_name',
      'e.reached_at',
      'e.used_bytes',
      'e.asked_at',
      'e.answered_at',
      'e.answer',
      'e.answer_words',
      'e.attempts',
    ])
    .select(['e.cut_at', 'e.overshoot_bytes', 'e.lifted_at'])
    .select([ms('e.reached_at', 'e.asked_at').as('request_ms'), latency.as('latency_ms')])

type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]
const time = (at: Date | null) => at?.toISOString() ?? null

export const asEnforcement = ({ pool_id, pool_name, ...row }: Row): Enforcement => ({
  ...row,
  pool: pool_id === null ? null : { id: pool_id, name: pool_name! },
  reached_at: row.reached_at.toISOString(),
  asked_at: time(row.asked_at),
  answered_at: time(row.answered_at),
  cut_at: time(row.cut_at),
  lifted_at: time(row.lifted_at),
})

/** Limits that were reached, the latest first. */
export async function listEnforcements(db: Db, actor: Actor, query: Parsed<typeof listOp>['query']): Promise<Reply<typeof listOp>> {
  let all = enforcementsSeen(db, actor)
  if (query.asset_id !== undefined) all = all.where('e.asset_id', '=', query.asset_id)
  if (query.state) all = all.where('e.cut_at', query.state === 'cut' ? 'is not' : 'is', null)
  return pageByKey(db, query, {
    name: 'enforcements',
    all,
    keys: [{ of: sql.ref('e.id'), is: 'text' }],
    order: 'desc',
    rows: inFull,
    items: (rows) => rows.map(asEnforcement),
  })
}

/** How limits were held in the last days. */
export async function sumEnforcements(
  db: Db,
  actor: Actor,
  { days, asset_id }: Parsed<typeof getEnforcementFigures>['query']
): Promise<EnforcementFigures> {
  let seen = enforcementsSeen(db, actor).where('e.reached_at', '>=', new Date(actor.at.getTime() - days * day))
  if (asset_id !== undefined) seen = seen.where('e.asset_id', '=', asset_id)
  const parts = sql`array[0.5, 0.99, 1]`
  const spread = (of: RawBuilder<number | null>) => sql<number[] | null>`percentile_disc(${parts}) within group (order by ${of})`
  const row = await seen
    .select([
      sql<number>`count(*)::int`.as('reached'),
      sql<number>`count(e.cut_at)::int`.as('cut'),
      spread(ms('e.reached_at', 'e.asked_at')).as('request'),
      spread(latency).as('latency'),
      sql<number>`coalesce(sum(e.overshoot_bytes), 0)`.as('overshoot_bytes'),
      sql<number>`coalesce(max(e.overshoot_bytes), 0)`.as('longest_overshoot_bytes'),
    ])
    .executeTakeFirstOrThrow()
  const { reached, cut, request, latency: held, ...overshoot } = row
  return { reached, cut, open: reached - cut, request_ms: spreadOf(request), latency_ms: spreadOf(held), ...overshoot }
}

function spreadOf(values: number[] | null) {
  const [half, most, longest] = values ?? []
  return half === undefined || half === null ? null : { half: Number(half), most: Number(most), longest: Number(longest) }
}

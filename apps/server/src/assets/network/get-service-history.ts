import { sql } from 'kysely'
import { serviceDays, type ServiceHistory } from '@masthead/contract/assets/past/history-operations'
import type { BlockCode, SimState } from '@masthead/contract/assets/sim'
import { dayOf } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { Db } from '../../kernel/app.ts'
import { networksOf } from '../../networks/index.ts'
import { getAssetById } from '../list/asset-rows.ts'
import { findRefused, type Reader } from './find-refused.ts'
import { spansOf, type Moment } from './service-spans.ts'

const day = 86_400_000
/** More of each than these are not read: what is older is shown as not kept. */
const most = { events: 1000, sessions: 500, refusals: 500 }

type Event = { at: Date; kind: string; by: string; detail: Record<string, unknown> }

const states: Record<string, SimState> = {
  'assets.asset_registered': 'ready',
  'assets.sim_activated': 'active',
  'assets.sim_went_live': 'active',
  'assets.sim_test_ended': 'active',
  'assets.sim_deactivated': 'inactive',
  'assets.sim_on_standby': 'standby',
  'assets.sim_ready': 'ready',
  'assets.sim_terminated': 'terminated',
}
const wide: Record<string, { is: 'on' | 'off'; code: BlockCode }> = {
  'assets.asset_switched_off': { is: 'on', code: 'asset_off' },
  'assets.asset_switched_on': { is: 'off', code: 'asset_off' },
  'backoffice.account_suspended': { is: 'on', code: 'account_suspended' },
  'backoffice.account_resumed': { is: 'off', code: 'account_suspended' },
  'billing.balance_used_up': { is: 'on', code: 'balance' },
  'billing.balance_restored': { is: 'off', code: 'balance' },
}
const marking = ['assets.limit_set', 'assets.limit_raised', 'network_groups.group_assigned', 'assets.device_changed', 'assets.sim_swapped']
const ofAsset = [
  ...Object.keys(states),
  ...Object.keys(wide),
  'assets.sim_blocked',
  'assets.sim_unblocked',
  'assets.block_taken_over',
  ...marking,
]

/** What allowed or refused service of the SIM that is in use, from what was recorded of it, of its asset and of its account. */
export async function getServiceHistory(db: Db, viewer: Reader, asset_id: string): Promise<ServiceHistory> {
  const { account_id, at } = viewer
  const asset = await getAssetById(db, viewer, asset_id)
  const start = at.getTime() - serviceDays * day
  const nothing = { from: iso(start), until: iso(at.getTime()), begins: 'days' as const, spans: [], marks: [] }
  const { sim } = asset
  if (!sim) return { ...nothing, network_from: nothing.from, sessions: [], refusals: [], refused: null }
  const events = await readEvents(db, account_id, asset_id)
  const own = events.filter(({ detail }) => detail.sim_id === undefined || detail.sim_id === sim.id)
  const swapped = own.findLast(({ kind }) => kind === 'assets.sim_swapped')?.at.getTime() ?? 0
  const registered = own.find(({ kind }) => kind === 'assets.asset_registered')?.at.getTime() ?? Date.parse(asset.created_at)
  const kept = events.length === most.events ? events[0]!.at.getTime() : 0
  const from = Math.min(at.getTime(), Math.max(start, registered, swapped, kept))
  const begins = from === kept ? 'kept' : from === swapped ? 'swapped' : from === registered ? 'registered' : 'days'
  const moments = [...own.flatMap(momentOf), ...(await poolMoments(db, account_id, sim.id))].toSorted((a, b) => a.at - b.at)
  const { state_changed_at: changed, ...rest } = sim
  const { rows: free } = await sql<{ is_free: boolean }>`select has_free_data(${account_id}, ${dayOf(at)}::date) as is_free`.execute(db)
  const isFree = free[0]!.is_free
  const now = { ...rest, state_changed_at: changed === null ? null : Date.parse(changed) }
  return {
    from: iso(from),
    until: iso(at.getTime()),
    begins,
    spans: spansOf(moments, now, from, at.getTime()).map((span) => ({
      ...span,
      // With data of a pool, or where data costs nothing, it went on; at which times is not kept.
      blocks: span.blocks.map((block) => (block.code === 'balance' && (sim.data_pool || isFree) ? { ...block, unsure: true } : block)),
    })),
    marks: own.flatMap((event) => (event.at.getTime() > from ? markOf(event) : [])),
    ...(await readNetwork(db, account_id, sim.id, from)),
    refused: await findRefused(db, viewer, asset_id, sim),
  }
}

/** What says how an asset's SIM stood, of itself and of its account, oldest first. Also from before the time that is asked for: it says how that began. */
async function readEvents(db: Db, account_id: string, asset_id: string): Promise<Event[]> {
  const columns = sql`at, category || '.' || action as kind, case actor_kind when 'staff' then 'staff' else actor_email end as by, detail, id`
  const named = (names: readonly string[]) => sql`category || '.' || action = any(${names}::text[])`
  const pairs = [
    ['backoffice', ['backoffice.account_suspended', 'backoffice.account_resumed']],
    ['billing', ['billing.balance_used_up', 'billing.balance_restored']],
  ] as const
  const ofAccount = pairs.map(
    ([category, names]) => sql`union all (select ${columns} from event
      where account_id = ${account_id} and asset_id is null and category = ${category} and ${named(names)} order by id desc limit ${most.events / 10})`
  )
  const { rows } = await sql<Event & { id: string }>`select * from (
    (select ${columns} from event where account_id = ${account_id} and asset_id = ${asset_id} and ${named(ofAsset)} order by id desc
      limit ${most.events}) ${sql.join(ofAccount, sql` `)}) e order by at desc, id desc limit ${most.events}`.execute(db)
  return rows.toReversed()
}

function momentOf({ at: time, kind, by, detail }: Event): Moment[] {
  const at = time.getTime()
  const state = states[kind]
  if (state) return [{ at, is: 'state', state, by }]
  const decided = wide[kind]
  if (decided?.is === 'on') return [{ at, is: 'on', code: decided.code, words: typeof detail.reason === 'string' ? detail.reason : null }]
  if (decided) return [{ at, is: 'off', code: decided.code }]
  const code = detail.code as BlockCode
  if (kind === 'assets.sim_blocked') return [{ at, is: 'on', code, words: typeof detail.words === 'string' ? detail.words : null }]
  if (kind === 'assets.block_taken_over')
    return [{ at, is: 'taken_over', code, words: String(detail.words), old_words: String(detail.old_words) }]
  return kind === 'assets.sim_unblocked' ? [{ at, is: 'off', code }] : []
}

/** A pool that gave nothing more is kept with each of its SIMs, and when it gave again. */
async function poolMoments(db: Db, account_id: string, sim_id: string): Promise<Moment[]> {
  const rows = await db
    .selectFrom('enforcement')
    .select(['reached_at', 'lifted_at', 'pool_name'])
    .where('account_id', '=', account_id)
    .where('sim_id', '=', sim_id)
    .where('pool_id', 'is not', null)
    .orderBy('reached_at', 'desc')
    .limit(most.events / 10)
    .execute()
  return rows.flatMap(({ reached_at, lifted_at, pool_name }): Moment[] => [
    { at: reached_at.getTime(), is: 'on', code: 'pool_exhausted', words: pool_name },
    ...(lifted_at ? [{ at: lifted_at.getTime(), is: 'off' as const, code: 'pool_exhausted' as const }] : []),
  ])
}

function markOf({ at, kind, detail }: Event): { at: string; words: string }[] {
  const bytes = typeof detail.bytes === 'number' ? formatBytes(detail.bytes) : null
  const words: Record<string, string> = {
    'assets.limit_set': bytes ? `Limit set to ${bytes} a ${String(detail.period)}` : 'Own limit taken off',
    'assets.limit_raised': `Limit raised to ${bytes}`,
    'network_groups.group_assigned': `Moved to network group ${String(detail.network_group_name)}`,
    'assets.device_changed': `Device changed to IMEI ${String(detail.imei)}`,
  }
  return words[kind] ? [{ at: at.toISOString(), words: words[kind] }] : []
}

type SessionRow = { from: Date; until: Date | null; mccmnc: string | null; rat: string | null; imei: string | null }
type RefusalRow = { first_at: Date; last_at: Date; count: number; words: string | null; mccmnc: string | null }

/** What the network did, from when on all of it is read. */
async function readNetwork(db: Db, account_id: string, sim_id: string, from: number) {
  const since = new Date(from)
  const { rows: sessions } = await sql<SessionRow>`select started_at as "from", ended_at as until, mccmnc, rat, imei from data_session
    where account_id = ${account_id} and sim_id = ${sim_id} and not superseded and coalesce(ended_at, 'infinity') >= ${since}
    order by started_at desc limit ${most.sessions}`.execute(db)
  const { rows: refusals } =
    await sql<RefusalRow>`select first_at, last_at, count, words, nullif(mccmnc, '') as mccmnc from connection_event
    where account_id = ${account_id} and sim_id = ${sim_id} and kind = 'rejected' and hour >= ${new Date(from - 3_600_000)} and last_at >= ${since}
    order by last_at desc limit ${most.refusals}`.execute(db)
  const { rows: kept } = await sql<{ since: Date | null }>`select min(substr(c.relname, 18))::date::timestamp at time zone 'UTC' as since
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'connection_event'::regclass`.execute(db)
  const networks = await networksOf(
    db,
    [...sessions, ...refusals].map(({ mccmnc }) => mccmnc)
  )
  const named = (mccmnc: string | null) => (mccmnc ? (networks.get(mccmnc) ?? null) : null)
  const whole = (rows: readonly unknown[], limit: number, oldest: Date | undefined) => (rows.length === limit ? oldest!.getTime() : from)
  const network_from = Math.max(
    whole(sessions, most.sessions, sessions.at(-1)?.from),
    whole(refusals, most.refusals, refusals.at(-1)?.first_at),
    kept[0]?.since?.getTime() ?? from
  )
  return {
    network_from: iso(network_from),
    sessions: sessions.toReversed().map(({ mccmnc, from: began, until, ...rest }) => ({
      ...rest,
      from: iso(began.getTime()),
      until: until && iso(until.getTime()),
      network: named(mccmnc),
    })),
    refusals: refusals.toReversed().map(({ mccmnc, first_at, last_at, ...rest }) => ({
      ...rest,
      first_at: iso(first_at.getTime()),
      last_at: iso(last_at.getTime()),
      network: named(mccmnc),
    })),
  }
}

const iso = (at: number) => new Date(at).toISOString()

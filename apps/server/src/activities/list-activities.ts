import { sql } from 'kysely'
import type { Activity, Chain } from '@masthead/contract/activities/activity'
import type { listActivities as promise } from '@masthead/contract/activities/operations'
import { eventKinds } from '@masthead/contract/events'
import { sentenceParts, wordsOf } from '@masthead/contract/kernel/event'
import { firstIdAt } from '@masthead/contract/kernel/id'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db } from '../kernel/app.ts'
import type { Value } from '../kernel/http/csv.ts'
import { csvOf, type Sheet } from '../kernel/sheet.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { countUpToCap } from '../kernel/http/paging.ts'
import { asRead, eventsRead, readerOf, seesMany } from './events-read.ts'

type Query = Parsed<typeof promise>['query']
type Filter = Partial<Omit<Query, keyof PageQuery>>

const columns = [
  'id',
  'at',
  'category',
  'action',
  'actor_kind',
  'actor_email',
  'actor_key',
  'asset_id',
  'ip',
  'request_id',
  'detail',
] as const

const entryOf = sql<Activity['entry']>`(select json_build_object('number', s.number, 'hash', encode(s.hash, 'hex')) from event_seal s
  where s.account_id = event.account_id and s.event_id = event.id)`.as('entry')

/** The account's events, newest first. */
export async function listActivities(db: Db, actor: Actor, query: Query): Promise<Reply<typeof promise>> {
  return pageByKey(db, query, {
    name: 'activities',
    all: eventsListed(db, actor, query, { scan: await seesMany(db, actor) }),
    ...(actor.tags.length > 0 && { count: () => countUpToCap(db, eventsListed(db, actor, query, { ordered: false })) }),
    keys: [{ of: sql.ref('event.id'), is: 'text' }],
    order: 'desc',
    rows: (page) => page.select(columns).select(entryOf),
    items: (rows) => asActivities(db, actor, rows),
  })
}

/** Those of some events that somebody reads, in any order. */
export async function findActivities(db: Db, actor: Actor, ids: readonly string[]): Promise<Activity[]> {
  if (ids.length === 0) return []
  const events = eventsSeen(db, actor, {}, { ordered: false }).where('id', 'in', ids)
  return asActivities(db, actor, await events.select(columns).select(entryOf).execute())
}

/** The newest few, uncounted. */
export async function latestActivities(db: Db, actor: Actor, most: number): Promise<Activity[]> {
  const events = eventsListed(db, actor, {}, { scan: await seesMany(db, actor) })
  return asActivities(db, actor, await events.select(columns).select(entryOf).orderBy('id', 'desc').limit(most).execute())
}

export async function getActivity(db: Db, actor: Actor, id: string): Promise<Activity> {
  const rows = await eventsSeen(db, actor, {}).select(columns).select(entryOf).where('id', '=', id).execute()
  const [activity] = await asActivities(db, actor, rows)
  if (!activity) throw new Problem(notFound)
  return activity
}

const rowsAtOnce = 1000

const exported = [
  'at',
  'category',
  'action',
  'sentence',
  'actor_kind',
  'actor',
  'api_key',
  'robot',
  'ip',
  'asset_id',
  'request_id',
  'entry',
  'hash',
  'detail',
]

/** All that match as CSV, newest first. */
export const exportActivities = (db: Db, actor: Actor, filter: Filter): AsyncGenerator<string> => csvOf(activitySheet(db, actor, filter))

/** All that match, newest first: a thousand are in memory at a time. */
export function activitySheet(db: Db, actor: Actor, filter: Filter): Sheet {
  let reached: number | undefined
  const [start, end] = [filter.start, filter.end].map((at) => (at === undefined ? undefined : Date.parse(at)))
  return {
    columns: exported,
    rows: activityRows(db, actor, filter, (at) => (reached = Date.parse(at))),
    share: () => (reached === undefined || start === undefined || end === undefined ? null : (end - reached) / Math.max(end - start, 1)),
  }
}

async function* activityRows(db: Db, actor: Actor, filter: Filter, reached: (at: string) => void): AsyncGenerator<Value[][]> {
  const scan = await seesMany(db, actor)
  for (let last: string | undefined, more = true; more;) {
    let events = eventsListed(db, actor, filter, { scan })
    if (last) events = events.where('id', '<', last)
    const rows = await events.select(columns).select(entryOf).orderBy('id', 'desc').limit(rowsAtOnce).execute()
    const activities = await asActivities(db, actor, rows)
    if (activities.length > 0) reached(activities.at(-1)!.at)
    yield activities.map(asLine)
    last = rows.at(-1)?.id
    more = rows.length === rowsAtOnce
  }
}

const asLine = ({ at, metadata, sentence, actor, ip, asset_id, request_id, entry, detail }: Activity): Value[] => [
  at,
  metadata.category,
  metadata.action,
  sentence,
  actor.kind,
  actor.email,
  actor.key,
  actor.robot,
  ip,
  asset_id,
  request_id,
  entry?.number,
  entry?.hash,
  JSON.stringify(detail),
]

/** The end of the account's chain; of whoever does not read all of it, the newest entry that they read: its number would show how many others there are. */
export async function getChain(db: Db, actor: Actor): Promise<Chain> {
  const { account_id, permissions, tags } = actor
  if (permissions !== 'all' || tags.length > 0) {
    const events = eventsSeen(db, actor, {}, { scan: await seesMany(db, actor) })
    const newest = await events
      .innerJoin('event_seal as s', (join) => join.on('s.account_id', '=', account_id).onRef('s.event_id', '=', 'event.id'))
      .select(['s.number', 's.hash'])
      .orderBy('event.id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return { number: newest?.number ?? 0, hash: newest?.hash.toString('hex') ?? null, chained_at: null }
  }
  const end = await db.selectFrom('event_chain').selectAll().where('account_id', '=', account_id).executeTakeFirst()
  return { number: end?.number ?? 0, hash: end?.hash.toString('hex') ?? null, chained_at: end?.sealed_at.toISOString() ?? null }
}

const ofRobot = 'robot:'

/** What one reads of the account, as far as it matches. */
function eventsSeen(
  db: Db,
  who: Actor,
  { category, actor, asset_id, start, end }: Filter,
  how: { scan?: boolean; ordered?: boolean } = {}
) {
  let events = eventsRead(db, readerOf(who), { category, ...how })
  const by = actor?.trim().toLowerCase()
  // The kinds stand in the statement as they do in the indexes of staff's events and robots'.
  if (by === 'staff') events = events.where('actor_kind', '=', sql.lit('staff' as const))
  else if (by?.startsWith(ofRobot))
    events = events.where('actor_kind', '=', sql.lit('robot' as const)).where('actor_key', '=', by.slice(ofRobot.length))
  else if (by) events = events.where('actor_email', '=', by)
  if (asset_id) events = events.where('asset_id', '=', asset_id)
  // Ids begin with the time, so that the key of the list also finds a span of time.
  if (start) events = events.where('id', '>=', firstIdAt('event', Date.parse(start)))
  if (end) events = events.where('id', '<', firstIdAt('event', Date.parse(end)))
  return events
}

/** A change of many assets is one line; what it did to each is a line of that asset alone. */
function eventsListed(...[db, who, filter, how]: Parameters<typeof eventsSeen>) {
  const events = eventsSeen(db, who, filter, how)
  return filter.asset_id ? events : events.where('bulk_id', 'is', null)
}

/** The API key or the robot that an event names. */
export const doneWith = ({ actor_kind, actor_key }: Pick<Row, 'actor_kind' | 'actor_key'>) =>
  actor_kind === 'robot' ? { key: null, robot: actor_key } : { key: actor_key, robot: null }

type Row = Pick<Activity, 'id' | 'detail' | 'ip' | 'asset_id' | 'request_id' | 'entry'> & {
  at: Date
  category: string
  action: string
  actor_kind: Activity['actor']['kind']
  actor_email: string
  actor_key: string | null
}

const asActivities = async (db: Db, actor: Actor, rows: Row[]) => (await asRead(db, readerOf(actor), rows)).map(asActivity)

const asActivity = ({ at, category, action, actor_kind, actor_email, actor_key, ...row }: Row): Activity => {
  const name = `${category}.${action}`
  const sentence_parts = sentenceParts(eventKinds.get(name), name, row.detail)
  return {
    ...row,
    at: at.toISOString(),
    timestamp: Math.floor(at.getTime() / 1000),
    metadata: { category, action },
    sentence: wordsOf(sentence_parts),
    sentence_parts,
    actor: { kind: actor_kind, email: actor_email, ...doneWith({ actor_kind, actor_key }) },
  }
}

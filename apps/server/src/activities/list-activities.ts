import { sql } from 'kysely'
import type { Activity } from '@masthead/contract/activities/activity'
import type { listActivities as promise } from '@masthead/contract/activities/operations'
import { eventKinds } from '@masthead/contract/events'
import { sentenceOf } from '@masthead/contract/kernel/event'
import { newId } from '@masthead/contract/kernel/id'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import * as z from 'zod/mini'
import type { Actor, Db } from '../kernel/app.ts'
import { countUpToCap, decodeCursor, encodeCursor, offsetOf } from '../kernel/paging.ts'

type Query = Parsed<typeof promise>['query']

/** The account's events, newest first. */
export async function listActivities(db: Db, actor: Actor, query: Query): Promise<Reply<typeof promise>> {
  const { page_size } = query
  const events = eventsSeen(db, actor, query)
  const after = decodeCursor(query.after, z.tuple([z.string()]))
  const rows = await events
    .select(['id', 'at', 'category', 'action', 'actor_kind', 'actor_email', 'asset_id', 'ip', 'detail'])
    .$if(after !== undefined, (each) => each.where('id', '<', after![0]))
    .orderBy('id', 'desc')
    .offset(offsetOf(query))
    .limit(page_size + 1)
    .execute()
  const page = rows.slice(0, page_size)
  return {
    items: page.map(asActivity),
    ...(await countUpToCap(db, events)),
    next: rows.length > page_size ? encodeCursor([page.at(-1)!.id]) : null,
  }
}

/** The newest few, uncounted. */
export async function latestActivities(db: Db, actor: Actor, most: number): Promise<Activity[]> {
  const rows = await eventsSeen(db, actor, {})
    .select(['id', 'at', 'category', 'action', 'actor_kind', 'actor_email', 'asset_id', 'ip', 'detail'])
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map(asActivity)
}

/** Members limited by tags see what happened to the assets they see, and what happened to no asset. */
function eventsSeen(db: Db, { account_id, tags }: Actor, filter: Partial<Query>) {
  const { category, actor, asset_id, start, end } = filter
  let events = db.selectFrom('event').where('account_id', '=', account_id)
  if (category?.length) events = events.where('category', 'in', category)
  if (actor) events = events.where('actor_email', '=', actor.trim().toLowerCase())
  if (asset_id) events = events.where('asset_id', '=', asset_id)
  // Ids begin with the time, so that the key of the list also finds a span of time.
  if (start) events = events.where('id', '>=', firstIdAt(start))
  if (end) events = events.where('id', '<', firstIdAt(end))
  if (tags.length > 0)
    events = events.where(
      sql<boolean>`(asset_id is null or exists (select from asset_tag t where t.account_id = event.account_id
        and t.asset_id = event.asset_id and t.tag_id = any(${[...tags]}::text[])))`
    )
  return events
}

const firstIdAt = (at: string) => newId('event', Math.max(0, Date.parse(at))).slice(0, 'evt_'.length + 10)

type Row = Pick<Activity, 'id' | 'detail' | 'ip' | 'asset_id'> & {
  at: Date
  category: string
  action: string
  actor_kind: Activity['actor']['kind']
  actor_email: string
}

const asActivity = ({ at, category, action, actor_kind, actor_email, ...row }: Row): Activity => {
  const name = `${category}.${action}`
  return {
    ...row,
    at: at.toISOString(),
    timestamp: Math.floor(at.getTime() / 1000),
    metadata: { category, action },
    sentence: sentenceOf(eventKinds.get(name), name, row.detail),
    actor: { kind: actor_kind, email: actor_email },
  }
}

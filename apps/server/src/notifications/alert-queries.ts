import { sql } from 'kysely'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { Alert } from '@masthead/contract/notifications/alert'
import * as ops from '@masthead/contract/notifications/operations'
import { actorMay, type Actor, type Db } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { nameSims } from './name-sims.ts'
import { getPreference } from './preferences.ts'

type Query = Parsed<typeof ops.listAlerts>['query']
type Filter = Partial<Pick<Query, 'severity' | 'source' | 'state' | 'unread' | 'own' | 'asset_id'>>

/** What is open stands before what somebody sees to and what is over, and is in order of its severity. As the index alert_urgency has it. */
const urgency = sql<number>`(case when resolved_at is not null then 0 when acknowledged_at is not null then 1
  when severity = 'critical' then 4 when severity = 'warn' then 3 else 2 end)`

/** The account's alerts that one sees, newest first by when they last happened, or what is urgent before that. */
export async function listAlerts(db: Db, actor: Actor, query: Query): Promise<Reply<typeof ops.listAlerts>> {
  const urgentFirst = query.sort === 'urgency'
  const page = await pageByKey(db, query, {
    name: urgentFirst ? 'alerts by urgency' : 'alerts',
    all: await matchingAlerts(db, actor, query),
    keys: [
      ...(urgentFirst ? [{ of: urgency, is: 'number' } as const] : []),
      { of: sql.ref('alert.last_at'), is: 'time' },
      { of: sql.ref('alert.id'), is: 'text' },
    ],
    order: 'desc',
    rows: (page) => withRead(page, actor),
    items: async (rows) => (await nameSims(db, actor, rows)).map(asAlert),
  })
  return { ...page, at: actor.at.toISOString() }
}

const mostHappenings = 20

export async function getAlert(db: Db, actor: Actor, id: string): Promise<Reply<typeof ops.getAlert>> {
  const row = await withRead(alertsSeen(db, actor), actor).where('alert.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  const happened = await db
    .selectFrom('alert_firing')
    .select('at')
    .where('account_id', '=', actor.account_id)
    .where('alert_id', '=', id)
    .orderBy('at', 'desc')
    .limit(mostHappenings)
    .execute()
  const [named] = await nameSims(db, actor, [row])
  return { ...asAlert(named!), happened_at: happened.map(({ at }) => at.toISOString()) }
}

export async function getSummary(db: Db, actor: Actor): Promise<Reply<typeof ops.getSummary>> {
  const alerts = await matchingAlerts(db, actor, { own: 'false' })
  const counted = await alerts
    .select(({ fn }) => fn.countAll<number>().filterWhere(unreadBy(actor)).as('unread'))
    .select((['info', 'warn', 'critical'] as const).map((each) => openOf(each).as(each)))
    .executeTakeFirstOrThrow()
  const { unread, ...open } = counted
  return { unread, open }
}

/** Those that are open, as the list has them; null for whoever may not see alerts. */
export async function countOpenAlerts(db: Db, actor: Actor): Promise<number | null> {
  if (!actorMay(actor, ops.getSummary.access)) return null
  const alerts = await matchingAlerts(db, actor, { own: 'false' })
  const { count } = await alerts
    .where('alert.resolved_at', 'is', null)
    .where('alert.acknowledged_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const openOf = (severity: string) =>
  sql<number>`count(*) filter (where alert.resolved_at is null and alert.acknowledged_at is null and alert.severity = ${severity})`

/** Every condition on what one sees of an account's alerts: its audience, permissions and tags. */
export function alertsSeen(db: Db, actor: Actor) {
  const { account_id, permissions, tags } = actor
  let alerts = db.selectFrom('alert').where('alert.account_id', '=', account_id)
  if (permissions === 'all') return alerts
  if (!actorMay(actor, ops.listAlerts.access) && !actorMay(actor, ops.acknowledgeAlerts.access)) alerts = alerts.where(sql<boolean>`false`)
  alerts = alerts
    .where('alert.audience', '=', 'members')
    .where(sql<boolean>`(alert.permission is null or alert.permission = any(${[...permissions]}::text[]))`)
  if (tags.length === 0) return alerts
  return alerts.where(
    sql<boolean>`(alert.asset_id is null or exists (select from asset_tag t where t.account_id = alert.account_id
      and t.asset_id = alert.asset_id and t.tag_id = any(${[...tags]}::text[])))`
  )
}

/** Those that one wants to see, and that match. */
export async function matchingAlerts(db: Db, actor: Actor, { severity, source, state, unread, own, asset_id }: Filter) {
  const { in_app, muted } = await getPreference(db, actor)
  let alerts = alertsSeen(db, actor).where('alert.severity', 'in', severity?.filter((one) => in_app.includes(one)) ?? in_app)
  if (in_app.length === 0) alerts = alertsSeen(db, actor).where(sql<boolean>`false`)
  if (muted.length > 0) alerts = alerts.where('alert.source', 'not in', muted)
  if (source?.length) alerts = alerts.where('alert.source', 'in', source)
  if (state?.length) alerts = alerts.where(stateOf, 'in', state)
  if (asset_id) alerts = alerts.where('alert.asset_id', '=', asset_id)
  if (unread) alerts = alerts.where(unreadBy(actor))
  if (own) alerts = alerts.where(own === 'true' ? ownAct(actor) : sql<boolean>`not ${ownAct(actor)}`)
  return alerts
}

const stateOf = sql<Alert['state']>`case when alert.resolved_at is not null then 'resolved'
  when alert.acknowledged_at is not null then 'acknowledged' else 'open' end`

/** About what whoever asks did themselves. */
const ownAct = ({ email }: Actor) => sql<boolean>`(alert.actor_email is not distinct from ${email})`

const readAt = ({ person_id }: Actor) =>
  sql<Date>`(select r.read_at from alert_read r where r.account_id = alert.account_id and r.alert_id = alert.id and r.person_id = ${person_id})`

/** Not read since it last happened. */
export const unreadBy = (actor: Actor) => sql<boolean>`coalesce(${readAt(actor)} < alert.last_at, true)`

const withRead = (alerts: ReturnType<typeof alertsSeen>, actor: Actor) =>
  alerts
    .select(['alert.id', 'severity', 'source', 'title', 'words', 'alert.asset_id', 'link', 'first_at', 'last_at', 'count'])
    .select(['cause', 'acknowledged_at', 'acknowledged_by', 'resolved_at', 'resolved_words'])
    .select(stateOf.as('state'))
    .select(sql<boolean>`not ${unreadBy(actor)}`.as('read'))

type Row = { cause: string } & Omit<Alert, 'first_at' | 'last_at' | 'acknowledged_at' | 'resolved_at'> & {
    first_at: Date
    last_at: Date
    acknowledged_at: Date | null
    resolved_at: Date | null
  }

const asAlert = ({ cause: _, first_at, last_at, acknowledged_at, resolved_at, ...row }: Row): Alert => ({
  ...row,
  first_at: first_at.toISOString(),
  last_at: last_at.toISOString(),
  acknowledged_at: acknowledged_at?.toISOString() ?? null,
  resolved_at: resolved_at?.toISOString() ?? null,
})

import { updateWebhook, type listDeliveries as promise } from '@masthead/contract/developers/operations'
import { usageHour, type Attempt, type Delivery, type DeliveryDetail } from '@masthead/contract/developers/webhook'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { sql } from 'kysely'
import { eventsRead, readerOf } from '../../activities/index.ts'
import { actorMay, type Actor, type Db, type Tx } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { seesUsage, usageScope } from './usage-hours.ts'
import { bodyOf } from './webhook-body.ts'
import { hearingScope } from './webhook-maker.ts'
import { getWebhook } from './webhook-queries.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags' | 'at' | 'permissions' | 'kind' | 'email'>
type Query = Parsed<typeof promise>['query']

/** What is due goes to a webhook that is paused only when that is tried again. */
const dueAt = sql<Date | null>`greatest(due_at, (select w.next_try_at from webhook w
  where w.account_id = webhook_delivery.account_id and w.id = webhook_delivery.webhook_id))`.as('due_at')
const columns = ['id', 'account_id', 'webhook_id', 'event_id', 'type', 'state', 'created_at', dueAt, 'tries'] as const

/** A webhook's deliveries, of what one may read now, whatever was sent before. Tests are about nothing; of usage its body says what one sees. */
const deliveriesOf = (db: Db, viewer: Viewer, webhook_id: string) => {
  const { account_id, permissions, tags } = viewer
  const all = db.selectFrom('webhook_delivery').where('account_id', '=', account_id).where('webhook_id', '=', webhook_id)
  if (permissions === 'all' && tags.length === 0) return all
  const readable = eventsRead(db, readerOf(viewer))
    .select('event.id')
    .where(sql<boolean>`event.id = webhook_delivery.event_id`)
  return all.where(({ or, eb, exists }) =>
    or([eb('event_id', 'is', null), ...(seesUsage(viewer) ? [eb('type', '=', usageHour)] : []), exists(readable)])
  )
}

type Row = Pick<Delivery, 'id' | 'webhook_id' | 'event_id' | 'type' | 'state' | 'tries'> & {
  account_id: string
  created_at: Date
  due_at: Date | null
  last: Attempt | null
}

const asDelivery = ({ account_id: _, created_at, due_at, last, ...row }: Row): Delivery => ({
  ...row,
  event_id: row.type === usageHour ? null : row.event_id,
  created_at: created_at.toISOString(),
  next_try_at: row.state === 'waiting' ? (due_at?.toISOString() ?? null) : null,
  last_try_at: last?.at ?? null,
  status: last?.status ?? null,
  duration_ms: last?.duration_ms ?? null,
  words: last?.words ?? null,
})

const lastTry = sql<Attempt | null>`attempts -> 0`.as('last')

/** A page of what was sent, newest first. */
export async function listDeliveries(db: Db, viewer: Viewer, webhook_id: string, query: Query): Promise<Reply<typeof promise>> {
  await getWebhook(db, viewer, webhook_id)
  let deliveries = deliveriesOf(db, viewer, webhook_id)
  if (query.state) deliveries = deliveries.where('state', '=', query.state)
  if (query.type) deliveries = deliveries.where('type', '=', query.type)
  return pageByKey(db, query, {
    name: 'deliveries',
    all: deliveries,
    keys: [{ of: sql.ref('id'), is: 'text' }],
    order: 'desc',
    rows: (page) => page.select([...columns, lastTry]),
    items: (rows) => rows.map(asDelivery),
  })
}

/** One delivery with what was sent and how each try was answered. */
export async function getDelivery(db: Db, viewer: Viewer, webhook_id: string, id: string): Promise<DeliveryDetail> {
  const row = await findDelivery(db, viewer, webhook_id, id)
  const withheld = withheldFrom(viewer, row.type)
  const unanswered = row.attempts.map((each) => ({ ...each, reply: '' }))
  if (withheld) return { ...asDelivery(row), withheld, body: null, attempts: unanswered }
  // An answer may repeat what others see, too: of usage the body alone is cut to what the viewer sees.
  const attempts = row.type === usageHour && viewer.tags.length > 0 ? unanswered : row.attempts
  return { ...asDelivery(row), withheld, attempts, body: await bodyOf(db, readerOf(viewer), row) }
}

/** Bodies say what activities say, and answers may repeat them: they are for whoever may read those and looks after webhooks. */
function withheldFrom(viewer: Viewer, type: string): string | null {
  if (!actorMay(viewer, updateWebhook.access))
    return `Requests and responses are shown to those who may change webhooks (${updateWebhook.access})`
  if (!actorMay(viewer, hearingScope)) return `What was sent says what activities say, which you may not read (${hearingScope})`
  if (type === usageHour && !seesUsage(viewer)) return `What was sent says what SIMs used, which you may not see (${usageScope})`
  return null
}

async function findDelivery(db: Db, viewer: Viewer, webhook_id: string, id: string) {
  await getWebhook(db, viewer, webhook_id)
  const row = await deliveriesOf(db, viewer, webhook_id)
    .select([...columns, 'attempts', lastTry])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}

/** The delivery, locked. */
export async function getDeliveryForUpdate(tx: Tx, viewer: Viewer, webhook_id: string, id: string): Promise<Delivery> {
  await tx
    .selectFrom('webhook_delivery')
    .select('id')
    .where('account_id', '=', viewer.account_id)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  return asDelivery(await findDelivery(tx, viewer, webhook_id, id))
}

import { sql } from 'kysely'
import type { listWebhooks as promise } from '@masthead/contract/developers/operations'
import { failuresToPause, type Webhook } from '@masthead/contract/developers/webhook'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { receivedBy, makerOf } from './webhook-maker.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { tagsOf } from '../../tags/index.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags' | 'at'>
type Query = Parsed<typeof promise>['query']

/** The webhooks a viewer may know of: all of the account, or for a limited member those limited to some of their tags. */
const webhooksOf = (db: Db, { account_id, tags }: Viewer) => {
  const all = db.selectFrom('webhook').where('webhook.account_id', '=', account_id)
  return tags.length === 0 ? all : all.where(sql<boolean>`webhook.tags <> '{}' and webhook.tags <@ ${[...tags]}::text[]`)
}

const withRest = (webhooks: ReturnType<typeof webhooksOf>) =>
  webhooks
    .select(['webhook.id', 'webhook.name', 'webhook.url', 'webhook.events', 'webhook.created_at', 'webhook.disabled_at'])
    .select(['webhook.disabled_because', 'webhook.failures', 'webhook.failing_since', 'webhook.next_try_at', 'webhook.last_delivered_at'])
    .select(['webhook.previous_secret_ends_at', makerOf])
    .select(tagsOf('webhook').as('tags'))
    .select(
      sql<number>`(select count(*) from webhook_delivery d where d.account_id = webhook.account_id and d.webhook_id = webhook.id
        and d.due_at is not null)`.as('waiting')
    )

type Row = Awaited<ReturnType<ReturnType<typeof withRest>['executeTakeFirstOrThrow']>>

function asWebhook({ maker, disabled_at, disabled_because, ...row }: Row, at: Date): Webhook {
  const receives = receivedBy(
    row.tags.map(({ id }) => id),
    maker,
    at
  )
  const ended = 'ended' in receives ? receives.ended : null
  const disabled = disabled_at !== null || ended !== null
  const ends = row.previous_secret_ends_at
  return {
    ...row,
    created_by: maker.email,
    state: disabled ? 'disabled' : row.failures >= failuresToPause ? 'paused' : 'active',
    disabled_because: disabled_at ? disabled_because : ended,
    created_at: row.created_at.toISOString(),
    failing_since: row.failing_since?.toISOString() ?? null,
    next_try_at: disabled ? null : (row.next_try_at?.toISOString() ?? null),
    last_delivered_at: row.last_delivered_at?.toISOString() ?? null,
    previous_secret_ends_at: ends && ends > at ? ends.toISOString() : null,
  }
}

/** A page of webhooks, newest first. */
export async function listWebhooks(db: Db, viewer: Viewer, query: Query): Promise<Reply<typeof promise>> {
  return pageByKey(db, query, {
    name: 'webhooks',
    all: webhooksOf(db, viewer),
    keys: [{ of: sql.ref('webhook.id'), is: 'text' }],
    order: 'desc',
    rows: withRest,
    items: (rows) => rows.map((row) => asWebhook(row, viewer.at)),
  })
}

export async function getWebhook(db: Db, viewer: Viewer, id: string): Promise<Webhook> {
  const row = await withRest(webhooksOf(db, viewer)).where('webhook.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asWebhook(row, viewer.at)
}

/** The webhook's own row, locked. */
export async function getWebhookForUpdate(tx: Tx, viewer: Viewer, id: string) {
  const webhook = await webhooksOf(tx, viewer).selectAll('webhook').where('webhook.id', '=', id).forUpdate().executeTakeFirst()
  if (!webhook) throw new Problem(notFound)
  return webhook
}

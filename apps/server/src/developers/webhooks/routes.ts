import * as ops from '@masthead/contract/developers/operations'
import type { Config } from '../../kernel/config.ts'
import { read, write, type Route } from '../../kernel/http/routes.ts'
import { deleteWebhook, disableWebhook, enableWebhook, rotateWebhook, updateWebhook } from './change-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { getDelivery, listDeliveries } from './delivery-queries.ts'
import { replayDelivery, testWebhook } from './send-again.ts'
import { listWebhookEvents } from './webhook-events.ts'
import { getWebhook, listWebhooks } from './webhook-queries.ts'

const rulesOf = ({ webhookPrivate }: Config) => ({ allowPrivate: webhookPrivate })

export const webhookRoutes: Route[] = [
  read(ops.listWebhooks, ({ db, actor, query }) => listWebhooks(db, actor, query)),
  read(ops.getWebhook, ({ db, actor, params }) => getWebhook(db, actor, params.webhook_id)),
  read(ops.listWebhookEvents, async () => ({ items: listWebhookEvents() })),
  write(ops.createWebhook, ({ db, actor, body, config }) => createWebhook(db, actor, body, rulesOf(config))),
  write(ops.updateWebhook, ({ db, actor, params, body, config }) => updateWebhook(db, actor, params.webhook_id, body, rulesOf(config))),
  write(ops.rotateWebhook, ({ db, actor, params, body }) => rotateWebhook(db, actor, params.webhook_id, body)),
  write(ops.disableWebhook, ({ db, actor, params }) => disableWebhook(db, actor, params.webhook_id)),
  write(ops.enableWebhook, ({ db, actor, params }) => enableWebhook(db, actor, params.webhook_id)),
  write(ops.testWebhook, ({ db, actor, params }) => testWebhook(db, actor, params.webhook_id)),
  write(ops.deleteWebhook, ({ db, actor, params }) => deleteWebhook(db, actor, params.webhook_id)),
  read(ops.listDeliveries, ({ db, actor, params, query }) => listDeliveries(db, actor, params.webhook_id, query)),
  read(ops.getDelivery, ({ db, actor, params }) => getDelivery(db, actor, params.webhook_id, params.delivery_id)),
  write(ops.replayDelivery, ({ db, actor, params }) => replayDelivery(db, actor, params.webhook_id, params.delivery_id)),
]

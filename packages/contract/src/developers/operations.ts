import * as z from 'zod/mini'
import { tagUnknown } from '../assets/problems.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { ApiKey, ApiKeyOnce, ApiKeyState, CreateApiKeyBody, RotateApiKeyBody, UpdateApiKeyBody } from './api-key.ts'
import { apiKeyBeyondYou, apiKeyExpired, deliveryUnderWay, tooManyApiKeys, tooManyWebhooks, webhookDisabled } from './problems.ts'
import { CreateWebhookBody, Delivery, DeliveryDetail, DeliveryState, UpdateWebhookBody, Webhook, WebhookOnce } from './webhook.ts'

/** Newest first. A member limited by tags sees the keys that are limited to some of theirs. */
export const listApiKeys = operation({
  name: 'developers.listApiKeys',
  method: 'GET',
  path: '/api-keys',
  summary: 'List API keys',
  access: 'developers.view',
  query: z.extend(PageQuery, {
    /** In name and prefix. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    state: z.optional(ApiKeyState),
  }),
  reply: page(ApiKey),
})

export const getApiKey = operation({
  name: 'developers.getApiKey',
  method: 'GET',
  path: '/api-keys/{api_key_id}',
  summary: 'One API key',
  access: 'developers.view',
  reply: ApiKey,
  problems: [notFound],
})

export const createApiKey = operation({
  name: 'developers.createApiKey',
  method: 'POST',
  path: '/api-keys',
  summary: 'Create an API key; its secret is shown only once',
  access: 'developers.edit',
  body: CreateApiKeyBody,
  reply: ApiKeyOnce,
  encryptsReply: true,
  problems: [apiKeyBeyondYou, tooManyApiKeys, tagUnknown],
})

export const updateApiKey = operation({
  name: 'developers.updateApiKey',
  method: 'PATCH',
  path: '/api-keys/{api_key_id}',
  summary: 'Change the name and permissions of an API key',
  access: 'developers.edit',
  body: UpdateApiKeyBody,
  reply: ApiKey,
  problems: [notFound, apiKeyBeyondYou, tagUnknown],
})

export const rotateApiKey = operation({
  name: 'developers.rotateApiKey',
  method: 'POST',
  path: '/api-keys/{api_key_id}/rotate',
  summary: 'Give an API key a new secret, shown only once; the previous one keeps working for a while',
  access: 'developers.edit',
  body: RotateApiKeyBody,
  reply: ApiKeyOnce,
  encryptsReply: true,
  problems: [notFound, apiKeyBeyondYou, apiKeyExpired],
})

export const disableApiKey = operation({
  name: 'developers.disableApiKey',
  method: 'POST',
  path: '/api-keys/{api_key_id}/disable',
  summary: 'Switch an API key off, until it is enabled again',
  access: 'developers.edit',
  reply: ApiKey,
  problems: [notFound],
})

export const enableApiKey = operation({
  name: 'developers.enableApiKey',
  method: 'POST',
  path: '/api-keys/{api_key_id}/enable',
  summary: 'Switch an API key on again',
  access: 'developers.edit',
  reply: ApiKey,
  problems: [notFound, apiKeyBeyondYou],
})

export const deleteApiKey = operation({
  name: 'developers.deleteApiKey',
  method: 'DELETE',
  path: '/api-keys/{api_key_id}',
  summary: 'Revoke an API key for good',
  access: 'developers.edit',
  endsCaller: true,
  problems: [notFound],
})

/** Newest first. A member limited by tags sees the webhooks that are limited to some of theirs. */
export const listWebhooks = operation({
  name: 'developers.listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks',
  access: 'developers.view',
  query: PageQuery,
  reply: page(Webhook),
})

export const getWebhook = operation({
  name: 'developers.getWebhook',
  method: 'GET',
  path: '/webhooks/{webhook_id}',
  summary: 'One webhook',
  access: 'developers.view',
  reply: Webhook,
  problems: [notFound],
})

/** All that a webhook can send, by name, with an example of its words. */
export const listWebhookEvents = operation({
  name: 'developers.listWebhookEvents',
  method: 'GET',
  path: '/webhook-events',
  summary: 'List the events that webhooks can receive',
  access: 'developers.view',
  reply: z.object({ items: z.array(z.object({ name: z.string(), words: z.string() })) }),
})

export const createWebhook = operation({
  name: 'developers.createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Create a webhook; its signing secret is shown only once',
  access: 'developers.edit',
  body: CreateWebhookBody,
  reply: WebhookOnce,
  encryptsReply: true,
  problems: [tooManyWebhooks, tagUnknown],
})

export const updateWebhook = operation({
  name: 'developers.updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{webhook_id}',
  summary: 'Change the URL and the events of a webhook',
  access: 'developers.edit',
  body: UpdateWebhookBody,
  reply: Webhook,
  problems: [notFound, tagUnknown],
})

export const rotateWebhook = operation({
  name: 'developers.rotateWebhook',
  method: 'POST',
  path: '/webhooks/{webhook_id}/rotate',
  summary: 'Give a webhook a new secret, shown only once; for a while both sign',
  access: 'developers.edit',
  body: RotateApiKeyBody,
  reply: WebhookOnce,
  encryptsReply: true,
  problems: [notFound],
})

export const disableWebhook = operation({
  name: 'developers.disableWebhook',
  method: 'POST',
  path: '/webhooks/{webhook_id}/disable',
  summary: 'Disable a webhook; events are not sent later',
  access: 'developers.edit',
  reply: Webhook,
  problems: [notFound],
})

export const enableWebhook = operation({
  name: 'developers.enableWebhook',
  method: 'POST',
  path: '/webhooks/{webhook_id}/enable',
  summary: 'Enable a webhook; one that is paused is tried at once',
  access: 'developers.edit',
  reply: Webhook,
  problems: [notFound],
})

export const testWebhook = operation({
  name: 'developers.testWebhook',
  method: 'POST',
  path: '/webhooks/{webhook_id}/test',
  summary: 'Send a test to a webhook',
  access: 'developers.edit',
  reply: Delivery,
  problems: [notFound, webhookDisabled],
})

export const deleteWebhook = operation({
  name: 'developers.deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{webhook_id}',
  summary: 'Delete a webhook and its log',
  access: 'developers.edit',
  problems: [notFound],
})

/** Newest first; kept for 14 days after they ended. */
export const listDeliveries = operation({
  name: 'developers.listDeliveries',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries',
  summary: 'Deliveries of a webhook with their responses',
  access: 'developers.view',
  query: z.extend(PageQuery, { state: z.optional(DeliveryState), type: z.optional(z.string().check(z.maxLength(80))) }),
  reply: page(Delivery),
  problems: [notFound],
})

export const getDelivery = operation({
  name: 'developers.getDelivery',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}',
  summary: 'One delivery with every try, and its body for who may change webhooks and read activities',
  access: 'developers.view',
  reply: DeliveryDetail,
  problems: [notFound],
})

export const replayDelivery = operation({
  name: 'developers.replayDelivery',
  method: 'POST',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  summary: 'Send a delivery again, under the same id',
  access: 'developers.edit',
  reply: Delivery,
  problems: [notFound, webhookDisabled, deliveryUnderWay],
})

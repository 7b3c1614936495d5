import { createApiKey, createWebhook, testWebhook } from '@masthead/contract/developers/operations'
import type { Person } from '@masthead/testkit/house'
import type { Sample, Scene } from '../test-samples.ts'

/** A key that may what whoever changes keys may themselves. */
export async function addApiKey(owner: Person): Promise<string> {
  const made = await owner.call(createApiKey, { body: { name: 'sweep', scopes: ['developers.edit'] } })
  return made.body.id
}

/** A webhook to nowhere, with a test that waits. */
export async function addWebhook(owner: Person): Promise<{ webhook_id: string; delivery_id: string }> {
  const webhook_id = (await owner.call(createWebhook, { body: hook('sweep') })).body.id
  const delivery = await owner.call(testWebhook, { params: { webhook_id } })
  return { webhook_id, delivery_id: delivery.body.id }
}
const hook = (name: string) => ({ name, url: 'https://hooks.example.com/masthead', events: ['assets.*'] })

const onKey = ({ api_key_id }: Scene) => ({ params: { api_key_id }, other: { api_key_id: 'another' } })
const onWebhook = ({ webhook_id }: Scene) => ({ params: { webhook_id }, other: { webhook_id: 'another' } })
const onDelivery = ({ webhook_id, delivery_id }: Scene) => ({
  params: { webhook_id, delivery_id },
  other: { webhook_id, delivery_id: 'another' },
})

/** A request of each call on a scene's keys and webhooks. */
export const developerSamples: Record<string, (scene: Scene) => Sample> = {
  'developers.getApiKey': onKey,
  'developers.createApiKey': () => ({
    body: { name: 'south', scopes: ['developers.edit'] },
    other: { name: 'east', scopes: ['developers.edit'] },
  }),
  'developers.updateApiKey': (scene) => ({ ...onKey(scene), body: { name: 'south' }, other: { name: 'east' } }),
  'developers.rotateApiKey': (scene) => ({ ...onKey(scene), body: { overlap_hours: 1 }, other: { overlap_hours: 2 } }),
  'developers.disableApiKey': onKey,
  'developers.enableApiKey': onKey,
  'developers.deleteApiKey': onKey,
  'developers.getWebhook': onWebhook,
  'developers.createWebhook': () => ({ body: hook('south'), other: hook('east') }),
  'developers.updateWebhook': (scene) => ({ ...onWebhook(scene), body: { name: 'south' }, other: { name: 'east' } }),
  'developers.rotateWebhook': (scene) => ({ ...onWebhook(scene), body: { overlap_hours: 1 }, other: { overlap_hours: 2 } }),
  'developers.disableWebhook': onWebhook,
  'developers.enableWebhook': onWebhook,
  'developers.testWebhook': onWebhook,
  'developers.deleteWebhook': onWebhook,
  'developers.listDeliveries': onWebhook,
  'developers.getDelivery': onDelivery,
  'developers.replayDelivery': onDelivery,
}

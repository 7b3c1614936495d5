import { webhookCreated } from '@masthead/contract/developers/events'
import { mostWebhooks, tooManyWebhooks } from '@masthead/contract/developers/problems'
import { usageHour, type CreateWebhookBody, type WebhookOnce } from '@masthead/contract/developers/webhook'
import { eventKinds } from '@masthead/contract/events'
import { newId } from '@masthead/contract/kernel/id'
import { forbidden, invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type * as z from 'zod/mini'
import { actorMay, type Actor, type Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { lockAccount, readTags } from '../index.ts'
import { urlProblem } from './public-address.ts'
import { makeWebhookSecret, encryptWebhookSecret } from './sign-webhook.ts'
import { seesUsage, usageScope } from './usage-hours.ts'
import { hearingScope } from './webhook-maker.ts'
import { getWebhook } from './webhook-queries.ts'

/** Makes a webhook. Its signing secret is in this answer alone. */
export async function createWebhook(
  tx: Tx,
  actor: Actor,
  { name, ...body }: z.output<typeof CreateWebhookBody>,
  rules: { allowPrivate: boolean }
): Promise<WebhookOnce> {
  const { account_id } = actor
  refuseDeaf(actor, body.events)
  const [url, events, tags] = [readUrl(body.url, rules), readEvents(body.events), await readTags(tx, actor, body.tags)]
  await lockAccount(tx, actor)
  const { count } = await tx
    .selectFrom('webhook')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  if (count >= mostWebhooks) throw new Problem(tooManyWebhooks)
  const id = newId('webhook', actor.at.getTime())
  const secret = makeWebhookSecret()
  const sealed_secret = encryptWebhookSecret(tx, id, secret)
  await tx
    .insertInto('webhook')
    .values({
      account_id,
      id,
      name,
      url,
      events,
      tags,
      sealed_secret,
      created_by: actor.person_id,
      created_key: actor.key?.id ?? null,
      created_at: actor.at,
    })
    .execute()
  const webhook = await getWebhook(tx, actor, id)
  await record(tx, actor, webhookCreated, {
    webhook_id: id,
    webhook_name: name,
    url,
    events,
    tags: webhook.tags.map((tag) => tag.name ?? tag.id),
  })
  return { ...webhook, secret }
}

/** A webhook sends what stands in the activities, or usage: who may not read that makes none that sends it. Throws forbidden. */
export function refuseDeaf(actor: Actor, events: readonly string[]) {
  const who = actor.key ? 'This API key needs the scope' : 'You need the permission'
  if (!actorMay(actor, hearingScope)) throw new Problem(forbidden, `${who} ${hearingScope} too: webhooks send what activities show`)
  if (events.includes(usageHour) && !seesUsage(actor))
    throw new Problem(forbidden, `${who} ${usageScope} too: ${usageHour} sends what SIMs used`)
}

/** An address without its fragment, refused in words where webhooks may not go. */
export function readUrl(text: string, rules: { allowPrivate: boolean }): string {
  const words = urlProblem(text, rules)
  if (words) throw new Problem(invalidRequest, words, { fields: { url: words } })
  const url = new URL(text)
  url.hash = ''
  return url.href
}

/** Names of events and areas, each once; one that there is none of is a mistake. */
export function readEvents(names: readonly string[]): string[] {
  const known = new Set(['*', usageHour, ...[...eventKinds.keys()].flatMap((name) => [name, `${name.split('.')[0]}.*`])])
  const unknown = names.find((name) => !known.has(name))
  if (unknown) throw new Problem(invalidRequest, `There is no event ${unknown}`, { fields: { events: `There is no event ${unknown}` } })
  const chosen = [...new Set(names)]
  // Usage is no event.
  return (chosen.includes('*') ? chosen.filter((name) => name === '*' || name === usageHour) : chosen).toSorted()
}

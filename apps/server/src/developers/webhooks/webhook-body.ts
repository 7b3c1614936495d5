import type { Selectable } from 'kysely'
import { usageHour } from '@masthead/contract/developers/webhook'
import { sentenceOf } from '@masthead/contract/kernel/event'
import { eventKinds } from '@masthead/contract/events'
import { asRead, doneWith, type Reader } from '../../activities/index.ts'
import type { Db } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { usageBody } from './usage-hours.ts'

const mostBytes = 64 * 1024

/** What a test sends in place of an event. */
export const testType = 'webhook.test'

type Sent = { account_id: string; webhook_id: string; event_id: string | null; type: string; created_at: Date }

/** The JSON of an event, or of a piece of usage. Made anew for every try, and the same each time: an event never changes, but for how many assets of many are theirs. */
export async function bodyOf(db: Db, reader: Reader, { account_id, webhook_id, event_id, type, created_at }: Sent): Promise<string> {
  if (event_id === null) return testBody(account_id, webhook_id, created_at)
  if (type === usageHour) return usageBody(db, reader, event_id)
  const row = await db
    .selectFrom('event')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', event_id)
    .executeTakeFirstOrThrow()
  const [event = row] = await asRead(db, reader, [row])
  const said = saidOf(event)
  const body = JSON.stringify(said)
  // Ask the API for what is too large to be sent.
  return Buffer.byteLength(body) > mostBytes ? JSON.stringify({ ...said, data: { ...said.data, detail: null } }) : body
}

type Event = Pick<Selectable<Database['event']>, 'id' | 'account_id' | 'category' | 'action' | 'at' | 'asset_id' | 'detail'> &
  Pick<Selectable<Database['event']>, 'actor_kind' | 'actor_email' | 'actor_key'>

/** What programs get of an event: by webhook, and in the stream. */
export function saidOf(event: Event) {
  const type = `${event.category}.${event.action}`
  const { key, robot } = doneWith(event)
  return {
    type,
    timestamp: event.at.toISOString(),
    data: {
      event_id: event.id,
      account_id: event.account_id,
      asset_id: event.asset_id,
      sentence: sentenceOf(eventKinds.get(type), type, event.detail),
      actor: { kind: event.actor_kind, email: event.actor_email, api_key: key, robot },
      detail: event.detail,
    },
  }
}

const testBody = (account_id: string, webhook_id: string, at: Date) =>
  JSON.stringify({
    type: testType,
    timestamp: at.toISOString(),
    data: { event_id: null, account_id, webhook_id, asset_id: null, sentence: 'This is a test', detail: {} },
  })

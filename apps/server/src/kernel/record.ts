import { sql } from 'kysely'
import type { EventKind } from '@masthead/contract/kernel/event'
import { newId } from '@masthead/contract/kernel/id'
import type * as z from 'zod/mini'
import type { Actor, Tx } from './app.ts'
import { liveChannel } from './live.ts'

/** Writes an event once; it is the activity log, the trigger of effects and the live update. Returns its id. */
export async function record<Detail extends z.ZodMiniType>(
  tx: Tx,
  actor: Actor,
  kind: EventKind<Detail>,
  detail: z.output<Detail>
): Promise<string> {
  const { account_id } = actor
  const id = newId('event', actor.at.getTime())
  const [category, action] = kind.name.split('.') as [string, string]
  const { asset_id = null } = detail as { asset_id?: string | null }
  await tx
    .insertInto('event')
    .values({
      account_id,
      id,
      at: actor.at,
      category,
      action,
      actor_kind: actor.kind,
      actor_email: actor.email,
      actor_key: actor.key?.name ?? null,
      asset_id,
      ip: actor.ip,
      request_id: actor.request_id,
      detail: JSON.stringify(kind.detail.parse(detail)),
    })
    .execute()
  await sql`select graphile_worker.add_job('effects', json_build_object('account_id', ${account_id}::text, 'event_id', ${id}::text)),
    pg_notify(${liveChannel}, ${`${account_id} ${kind.name}`})`.execute(tx)
  return id
}

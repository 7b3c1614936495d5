import { sql } from 'kysely'
import type { EventKind } from '@masthead/contract/kernel/event'
import { newId } from '@masthead/contract/kernel/id'
import type * as z from 'zod/mini'
import type { Actor, Tx } from './app.ts'
import { addingEffects, listenedBy } from './jobs/effects.ts'
import { notifying } from './live/publish.ts'

/** Writes an event once; it is the activity log, the trigger of effects and the live update. Returns its id. */
export async function record<Detail extends z.ZodMiniType>(
  tx: Tx,
  actor: Actor,
  kind: EventKind<Detail>,
  detail: z.output<Detail>
): Promise<string> {
  const row = rowOf(actor, kind, detail)
  const { account_id, id } = row
  await tx.insertInto('event').values(row).execute()
  const names = [kind.name, ...(kind.standsFor?.(detail) ?? [])].flatMap(listenedBy)
  await sql`select ${addingEffects(account_id, kind, [id], { names: actor.bulk_id ? [] : names })}, ${notifying(account_id, kind)}`.execute(
    tx
  )
  return id
}

/** A lower priority than that of single events, because the effects of a hundred thousand events must not delay those of one. */
const manyPriority = 10

/** Writes events of one kind, in the order given, in two statements however many they are (at most some thousand). One is like any single event. */
export async function recordMany<Detail extends z.ZodMiniType>(
  tx: Tx,
  actor: Actor,
  kind: EventKind<Detail>,
  details: readonly z.output<Detail>[]
): Promise<void> {
  if (details.length === 0) return
  const rows = details.map((detail) => rowOf(actor, kind, detail))
  await sql`insert into event (account_id, id, at, category, action, actor_kind, actor_email, actor_key, asset_id, bulk_id, ip, request_id, detail)
    select account_id, id, at, category, action, actor_kind, actor_email, actor_key, asset_id, bulk_id, ip, request_id, detail
    from jsonb_to_recordset(${JSON.stringify(rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as unknown })))}::jsonb) as given
      (account_id text, id text, at timestamptz, category text, action text, actor_kind text, actor_email text, actor_key text,
       asset_id text, bulk_id text, ip inet, request_id text, detail jsonb)`.execute(tx)
  const { account_id } = actor
  const ids = rows.map(({ id }) => id)
  const priority = actor.bulk_id || ids.length > 1 ? manyPriority : 0
  await sql`select ${addingEffects(account_id, kind, ids, { priority, ...(actor.bulk_id && { names: [] }) })}, ${notifying(account_id, kind)}`.execute(
    tx
  )
}

function rowOf<Detail extends z.ZodMiniType>(actor: Actor, kind: EventKind<Detail>, detail: z.output<Detail>) {
  const [category, action] = kind.name.split('.') as [string, string]
  const { asset_id = null } = detail as { asset_id?: string | null }
  return {
    account_id: actor.account_id,
    id: newId('event', actor.at.getTime()),
    at: actor.at,
    category,
    action,
    actor_kind: actor.kind,
    actor_email: actor.email,
    actor_key: actor.key?.name ?? null,
    asset_id,
    bulk_id: actor.bulk_id ?? null,
    ip: actor.ip,
    request_id: actor.request_id,
    detail: JSON.stringify(kind.detail.parse(detail)),
  }
}

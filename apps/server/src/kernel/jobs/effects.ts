import { sql, type RawBuilder } from 'kysely'
import type { EventKind } from '@masthead/contract/kernel/event'
import type * as z from 'zod/mini'
import type { Actor, App, Db } from '../app.ts'
import { task, type Task } from './jobs.ts'

type Kind<Detail extends z.ZodMiniType = z.ZodMiniType> = Pick<EventKind<Detail>, 'name' | 'detail' | 'effects'>
/** A job after an event that declares it (`effects` in the contract): one of these kinds, or `any`. */
export type Effect = Task & { events: readonly Kind[] | 'any' }
export type HappenedEvent = {
  account_id: string
  id: string
  at: Date
  /** `area.what_happened`. */
  name: string
  actor_kind: Actor['kind']
  actor_email: string
  asset_id: string | null
  detail: Record<string, unknown>
}

type Named = { account_id: string; event_id: string }

/**
 * What follows in the outside world on events. `name` is the job's. Retried until it succeeds, so it must be safe to repeat. Nothing follows on an event that was
 * erased with its account meanwhile.
 */
export const effect = <const Kinds extends readonly Kind[]>(
  name: string,
  events: Kinds,
  run: (app: App, detail: z.output<Kinds[number]['detail']>, event: HappenedEvent) => Promise<void>
): Effect => ({
  events,
  ...task(name, async (app, named: Named) => {
    const event = await findEvent(app.db, named)
    const kind = events.find((each) => each.name === event?.name)
    if (event && kind) await run(app, kind.detail.parse(event.detail) as z.output<Kinds[number]['detail']>, event)
  }),
})

/** The same after whatever event has it among its effects, or somebody asked it for (the view `event_listener`). */
export const effectOfAny = (name: string, run: (app: App, event: HappenedEvent) => Promise<void>): Effect => ({
  events: 'any',
  ...task(name, async (app, named: Named) => {
    const event = await findEvent(app.db, named)
    if (event) await run(app, event)
  }),
})

async function findEvent(db: Db, { account_id, event_id }: Named): Promise<HappenedEvent | null> {
  const found = await db
    .selectFrom('event')
    .select(['account_id', 'id', 'at', 'category', 'action', 'actor_kind', 'actor_email', 'asset_id', 'detail'])
    .where('account_id', '=', account_id)
    .where('id', '=', event_id)
    .executeTakeFirst()
  if (!found) return null
  const { category, action, ...row } = found
  return { ...row, name: `${category}.${action}` }
}

/** The names by which a webhook listens to events of this name. */
export const listenedBy = (name: string): string[] => [name, `${name.split('.')[0]}.*`, '*']

/** The part of a statement that adds a job for each of these events and each effect that listens; its value is how many. */
export function addingEffects(
  account_id: string,
  { name, effects = [] }: Pick<EventKind, 'name' | 'effects'>,
  event_ids: readonly string[],
  { priority = 0, names = listenedBy(name) }: { priority?: number; names?: readonly string[] } = {}
): RawBuilder<string> {
  return sql`(select count(*) from (select array(
      select row(effect, json_build_object('account_id', ${account_id}::text, 'event_id', event_id), null, null, null,
        effect || ' ' || event_id, ${priority}::int, null)::graphile_worker.job_spec
      from unnest(${event_ids}::text[]) as happened (event_id), (select unnest(${effects}::text[])
        union select effect from event_listener where account_id = ${account_id} and names && ${[...names]}::text[]) as listening (effect)
    ) as specs) as wanted, graphile_worker.add_jobs(specs) where cardinality(specs) > 0)`
}

/** Jobs of versions before migration 0029: one for all effects of an event. A job for each comes in its place. */
export const earlierEffects = (kinds: ReadonlyMap<string, Pick<EventKind, 'name' | 'effects'>>): Task =>
  task('effects', async ({ db }, named: Named) => {
    const event = await findEvent(db, named)
    if (!event) return
    const { account_id, id, name } = event
    const kind = kinds.get(name) ?? { name: name as EventKind['name'] }
    await db.transaction().execute((tx) => sql`select ${addingEffects(account_id, kind, [id])}`.execute(tx))
  })

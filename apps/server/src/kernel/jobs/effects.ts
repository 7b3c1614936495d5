import type { EventKind } from '@masthead/contract/kernel/event'
import type * as z from 'zod/mini'
import type { Actor, App } from '../app.ts'
import { task, type Task } from './jobs.ts'

export type Effect = { name: string; run: (app: App, detail: never, event: HappenedEvent) => Promise<void> }
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

/** What the outside world must be told after an event. Retried until it succeeds, so it must be safe to repeat. */
export const on = <Detail extends z.ZodMiniType>(
  kind: EventKind<Detail>,
  run: (app: App, detail: z.output<Detail>, event: HappenedEvent) => Promise<void>
): Effect => ({
  name: kind.name,
  run: (app, detail, event) => run(app, kind.detail.parse(detail), event),
})

/** Something to do after every event, whatever it is. */
export const onAny = (run: (app: App, detail: Record<string, unknown>, event: HappenedEvent) => Promise<void>): Effect => ({
  name: '*',
  run,
})

/** The `effects` job: one event, every effect that waits for it. */
export const effectsTask = (effects: readonly Effect[]): Task =>
  task('effects', async (app, { account_id, event_id }: { account_id: string; event_id: string }) => {
    const { category, action, ...row } = await app.db
      .selectFrom('event')
      .select(['account_id', 'id', 'at', 'category', 'action', 'actor_kind', 'actor_email', 'asset_id', 'detail'])
      .where('account_id', '=', account_id)
      .where('id', '=', event_id)
      .executeTakeFirstOrThrow()
    const name = `${category}.${action}`
    const event = { ...row, name }
    for (const effect of effects) if (effect.name === name || effect.name === '*') await effect.run(app, event.detail as never, event)
  })

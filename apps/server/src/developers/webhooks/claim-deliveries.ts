import { sql } from 'kysely'
import { failuresToPause, type Attempt } from '@masthead/contract/developers/webhook'
import type { App } from '../../kernel/app.ts'

/** So many at once go to one receiver, over all processes; to a paused one a single one. */
export const atOncePerWebhook = 4
/** Who has not finished by then is taken for dead, and another process sends it. Longer than any try can take. */
const lease = 60_000 // ms

/** A delivery that this process is to send now, with what is needed for it. */
export type Claimed = {
  account_id: string
  id: string
  webhook_id: string
  event_id: string | null
  type: string
  created_at: Date
  /** Which try this is; a result counts only while no later try began. */
  tries: number
  round_tries: number
  attempts: Attempt[]
}

/**
 * Takes what is due, at most `most`, of every receiver its share: the receivers with something waiting are found one by one through the
 * index, so that a long queue of one hides nobody else's. Rows that another process takes at this moment are passed over.
 */
export async function claimDeliveries({ db, clock }: App, most: number): Promise<Claimed[]> {
  const now = clock.now()
  const { rows } = await sql<Claimed>`
    with recursive receiver (account_id, webhook_id) as (
      (select account_id, webhook_id from webhook_delivery where due_at is not null order by account_id, webhook_id limit 1)
      union all
      select next.account_id, next.webhook_id from receiver r, lateral (select d.account_id, d.webhook_id from webhook_delivery d
        where d.due_at is not null and (d.account_id, d.webhook_id) > (r.account_id, r.webhook_id)
        order by d.account_id, d.webhook_id limit 1) next
    ), open as (
      select w.account_id, w.id, case when w.failures >= ${failuresToPause} then 1 else ${atOncePerWebhook} end - (select count(*)
        from webhook_delivery busy where busy.account_id = w.account_id and busy.webhook_id = w.id and busy.state = 'sending'
        and busy.due_at > ${now}) as free
      from receiver r join webhook w on w.account_id = r.account_id and w.id = r.webhook_id
      where w.disabled_at is null and (w.next_try_at is null or w.next_try_at <= ${now})
    ), due as (
      select d.account_id, d.id from open o cross join lateral (select d.account_id, d.id from webhook_delivery d
        where d.account_id = o.account_id and d.webhook_id = o.id and d.due_at <= ${now} order by d.due_at, d.id
        limit greatest(0, o.free) for update skip locked) d limit ${most}
    )
    update webhook_delivery d set state = 'sending', due_at = ${new Date(now.getTime() + lease)}, tries = d.tries + 1,
      round_tries = d.round_tries + 1
    from due where d.account_id = due.account_id and d.id = due.id
    returning d.account_id, d.id, d.webhook_id, d.event_id, d.type, d.created_at, d.tries, d.round_tries, d.attempts`.execute(db)
  return rows
}

import { sql } from 'kysely'
import { failuresToPause, type Attempt } from '@masthead/contract/developers/webhook'
import type { App, WriteDb } from '../../kernel/app.ts'
import { inTransaction } from '../../kernel/database/open-database.ts'

/** So many at once go to one receiver, over all processes; to a paused one a single one. */
export const atOncePerWebhook = 4
/** A process that has not finished by then is taken to have ended, and another sends the delivery. Longer than any try can take. */
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
 * index, so that a long queue of one hides nobody else's. Accounts take turns, those with the least under way first, since a single one
 * may have more slow receivers than there are places. Rows that another process takes at this moment are passed over, and not those after them
 * taken in their place: a receiver would get twice its share.
 */
export async function claimDeliveries({ db, clock }: Pick<App, 'clock'> & { db: WriteDb }, most: number): Promise<Claimed[]> {
  const now = clock.now()
  const taken = sql<Claimed>`
    with recursive receiver (account_id, webhook_id) as (
      (select account_id, webhook_id from webhook_delivery where due_at is not null order by account_id, webhook_id limit 1)
      union all
      select next.account_id, next.webhook_id from receiver r, lateral (select d.account_id, d.webhook_id from webhook_delivery d
        where d.due_at is not null and (d.account_id, d.webhook_id) > (r.account_id, r.webhook_id)
        order by d.account_id, d.webhook_id limit 1) next
    ), open as (
      select account_id, id, most - busy as free, sum(busy) over (partition by account_id) as under_way
      from (select w.account_id, w.id, case when w.failures >= ${failuresToPause} then 1 else ${atOncePerWebhook} end as most,
          (select count(*) from webhook_delivery busy where busy.account_id = w.account_id and busy.webhook_id = w.id
            and busy.state = 'sending' and busy.due_at > ${now}) as busy
        from receiver r join webhook w on w.account_id = r.account_id and w.id = r.webhook_id
        where w.disabled_at is null and (w.next_try_at is null or w.next_try_at <= ${now})) w
    ), candidate as (
      select d.account_id, d.id, o.under_way + row_number() over (partition by d.account_id order by d.due_at, d.id) as place
      from open o cross join lateral (select d.account_id, d.id, d.due_at from webhook_delivery d
        where d.account_id = o.account_id and d.webhook_id = o.id and d.due_at <= ${now} order by d.due_at, d.id
        limit greatest(0, o.free)) d
    ), due as (
      select d.account_id, d.id from candidate c join webhook_delivery d on d.account_id = c.account_id and d.id = c.id
      where d.due_at <= ${now} order by c.place limit ${most} for update of d skip locked
    )
    update webhook_delivery d set state = 'sending', due_at = ${new Date(now.getTime() + lease)}, tries = d.tries + 1,
      round_tries = d.round_tries + 1
    from due where d.account_id = due.account_id and d.id = due.id
    returning d.account_id, d.id, d.webhook_id, d.event_id, d.type, d.created_at, d.tries, d.round_tries, d.attempts`
  return (await inTransaction(db, (tx) => taken.execute(tx))).rows
}

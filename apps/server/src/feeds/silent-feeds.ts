import { sql } from 'kysely'
import { formatDuration } from '@masthead/contract/kernel/time'
import type { App } from '../kernel/app.ts'
import { raiseAlert, resolveAlert } from '../notifications/index.ts'

const causeOf = (feed_id: string) => `feed:${feed_id}`

/**
 * Alerts whoever manages networks to feeds that have said nothing for longer than they may, and ends that when they report again. Nobody is blocked for it:
 * usage that is not reported yet is not known to be any.
 */
export async function watchFeeds({ db, clock }: App): Promise<void> {
  const at = clock.now()
  const { rows: silent } = await sql<{ id: string; name: string; heard_at: Date; accounts: string[] }>`
    select id, name, heard_at, array(select account_id from person where permissions @> '{backoffice,manage_networks}' order by 1) as accounts
    from feed where disabled_at is null and heard_at < ${at}::timestamptz - make_interval(mins => silent_after_minutes)`.execute(db)
  for (const { id, name, heard_at, accounts } of silent)
    for (const account_id of accounts)
      await db.transaction().execute((tx) =>
        raiseAlert(
          tx,
          { account_id, raised_by: `${id} ${heard_at.toISOString()}`, at },
          {
            cause: causeOf(id),
            severity: 'warn',
            source: 'network',
            title: `The feed ${name} is silent`,
            words: `It last reported ${formatDuration((at.getTime() - heard_at.getTime()) / 1000)} ago. Usage that it brings is counted once it reports again.`,
            lasting: true,
            audience: 'owner',
            link: '/masa/feeds',
          }
        )
      )
  const still = silent.map(({ id }) => causeOf(id))
  const over = await db
    .selectFrom('alert')
    .select(['account_id', 'cause'])
    .where('resolved_at', 'is', null)
    .where('cause', 'like', 'feed:%')
    .where('cause', 'not in', [...still, ''])
    .execute()
  for (const { account_id, cause } of over)
    await db.transaction().execute((tx) => resolveAlert(tx, account_id, cause, at, 'The feed reports again, or is switched off'))
}

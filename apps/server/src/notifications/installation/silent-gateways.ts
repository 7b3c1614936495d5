import { sql } from 'kysely'
import { gatewaySilentAfter } from '@masthead/contract/backoffice/gateway-operations'
import { formatDuration } from '@masthead/contract/kernel/time'
import { isOverdue } from '../../gateways/index.ts'
import type { App } from '../../kernel/app.ts'
import { raiseAlert, resolveAlert } from '../raise-alert.ts'

/** A gateway that has open sessions to report and says nothing for so long, or for three of their intervals where all are longer. Milliseconds. */
export const silentAfter = gatewaySilentAfter * 1000

const gatewayCause = (gateway_id: string) => `gateway:${gateway_id}`

/**
 * Notifies staff of gateways that fell silent, and ends that when they report again. Each who manages gateways finds it among the alerts of
 * their own account. Looking again and again raises one alert for one silence.
 */
export async function watchGateways({ db, clock }: App): Promise<void> {
  const at = clock.now()
  const { rows: silent } = await sql<{
    id: string
    name: string
    address: string
    heard_at: Date
    is_overdue: boolean
    accounts: string[]
  }>`
    select g.id, g.name, host(a.address) as address, a.heard_at,
      ${isOverdue(sql.ref('g.id'), at)} as is_overdue,
      array(select account_id from person where permissions @> '{backoffice,manage_networks}' order by 1) as accounts
    from gateway g
      cross join lateral (select address, heard_at from gateway_address where gateway_id = g.id and heard_at is not null order by heard_at desc limit 1) a
    where g.disabled_at is null and a.heard_at <= ${new Date(at.getTime() - silentAfter)}`.execute(db)
  // One without a session has nothing to say. What fell silent with sessions stays so when those are given up.
  for (const { id, name, address, heard_at, accounts } of silent.filter(({ is_overdue }) => is_overdue)) {
    const raised_by = `${id} ${heard_at.toISOString()}`
    for (const account_id of await notNotified(db, raised_by, accounts)) {
      await db.transaction().execute((tx) =>
        raiseAlert(
          tx,
          { account_id, raised_by, at },
          {
            cause: gatewayCause(id),
            severity: 'critical',
            source: 'network',
            title: `The gateway ${name} is silent`,
            words: `${address} last reported ${formatDuration((at.getTime() - heard_at.getTime()) / 1000)} ago. Usage on it is not counted until it reports again.`,
            lasting: true,
            audience: 'owner',
            link: '/masa/gateways',
          }
        )
      )
    }
  }
  await resolveHeard(
    db,
    at,
    silent.map(({ id }) => gatewayCause(id))
  )
}

async function notNotified(db: App['db'], raised_by: string, accounts: readonly string[]): Promise<string[]> {
  const notified = await db
    .selectFrom('alert_firing')
    .select('account_id')
    .where('told_by', '=', raised_by)
    .where('account_id', 'in', [...accounts, ''])
    .execute()
  return accounts.filter((id) => !notified.some(({ account_id }) => account_id === id))
}

async function resolveHeard(db: App['db'], at: Date, silent: readonly string[]): Promise<void> {
  const over = await db
    .selectFrom('alert')
    .select(['account_id', 'cause'])
    .where('resolved_at', 'is', null)
    .where('cause', 'like', 'gateway:%')
    .where('cause', 'not in', [...silent, ''])
    .execute()
  for (const { account_id, cause } of over) {
    await db.transaction().execute((tx) => resolveAlert(tx, account_id, cause, at, 'The gateway reports again, or is no longer used'))
  }
}

import { sql } from 'kysely'
import { assetRegistered } from '@masthead/contract/assets/events'
import type { SimBlock } from '@masthead/contract/assets/sim'
import { accountResumed, accountSuspended, assetGiven, inventoryLoaded, stockAssigned } from '@masthead/contract/backoffice/events'
import type { App } from '../kernel/app.ts'
import { type Effect, on } from '../kernel/jobs/effects.ts'
import { type Task, task } from '../kernel/jobs/jobs.ts'
import { liveChannel } from '../kernel/live/live.ts'
import { cutSessionsOf } from '../metering/index.ts'
import { countQuarantined } from './quarantine/count-quarantined.ts'
import { tellStaff } from './staff/staff-log.ts'

const code = 'account_suspended'
const simsAtOnce = 500

/**
 * Brings the SIMs of an account in step with its suspension: all of them blocked for it, or none. Says nothing where nothing is to do, so it
 * may run at any time, twice, and after it broke off.
 */
export async function holdAccount(app: App, account_id: string): Promise<void> {
  for (;;) {
    const more = await app.db.transaction().execute(async (tx) => {
      // Locked, so that a suspension and a resumption never work against each other.
      const account = await tx
        .selectFrom('account')
        .select(['suspended_at', 'suspended_reason'])
        .where('id', '=', account_id)
        .forShare()
        .executeTakeFirstOrThrow()
      const has = sql`blocks @> ${JSON.stringify([{ code }])}::jsonb`
      if (account.suspended_at === null) return lift(tx, account_id)
      const block: SimBlock = {
        code,
        since: account.suspended_at.toISOString(),
        by: 'staff',
        words: account.suspended_reason ?? 'The account is suspended',
        clears: 'When staff resume the account',
      }
      const { rows } = await sql<{ id: string }>`
        update sim set blocks = blocks || ${JSON.stringify([block])}::jsonb
        from (select id from sim where account_id = ${account_id} and not ${has} and state <> 'terminated'
          order by id limit ${simsAtOnce} for update) found
        where sim.account_id = ${account_id} and sim.id = found.id returning sim.id`.execute(tx)
      return rows.length === simsAtOnce
    })
    if (!more) break
  }
  await cutHeldSessions({ app, account_id })
  await sql`select pg_notify(${liveChannel}, ${`${account_id} assets.blocks_changed`})`.execute(app.db)
  await tellStaff(app.db, 'backoffice.account_held')
}

async function lift(tx: App['db'], account_id: string): Promise<boolean> {
  const { rows } = await sql`
    update sim set blocks = coalesce((select jsonb_agg(b) from jsonb_array_elements(sim.blocks) b where b->>'code' <> ${code}), '[]')
    from (select id from sim where account_id = ${account_id} and blocks <> '[]' and blocks @> ${JSON.stringify([{ code }])}::jsonb
      order by id limit ${simsAtOnce} for update) found
    where sim.account_id = ${account_id} and sim.id = found.id returning sim.id`.execute(tx)
  return rows.length === simsAtOnce
}

/** Of many SIMs few are on the network just now. Asked anew each time: a run before may have broken off between block and cut. */
async function cutHeldSessions({ app, account_id }: { app: App; account_id: string }) {
  const { rows } = await sql<{ sim_id: string }>`select distinct s.sim_id from data_session s
    join sim on sim.account_id = s.account_id and sim.id = s.sim_id
    where s.account_id = ${account_id} and s.ended_at is null and sim.blocks @> ${JSON.stringify([{ code }])}::jsonb`.execute(app.db)
  for (const { sim_id } of rows) await cutSessionsOf(app, account_id, sim_id)
}

const hold = (app: App, _detail: unknown, { account_id }: { account_id: string }) => holdAccount(app, account_id)

/** New SIMs of a suspended account have no service either. */
const holdNew = async (app: App, _detail: unknown, { account_id }: { account_id: string }) => {
  const account = await app.db.selectFrom('account').select('suspended_at').where('id', '=', account_id).executeTakeFirst()
  if (account?.suspended_at) await holdAccount(app, account_id)
}

export const backofficeEffects: Effect[] = [
  on(accountSuspended, hold),
  on(accountResumed, hold),
  on(assetRegistered, holdNew),
  on(inventoryLoaded, holdNew),
  on(stockAssigned, holdNew),
  on(assetGiven, holdNew),
]

export const backofficeTasks: Task[] = [
  task('count_quarantined', (app, payload: { quarantine_ids: string[] }) => countQuarantined(app, payload.quarantine_ids)),
]

import { sql } from 'kysely'
import { accountErased } from '@masthead/contract/auth/events'
import { chainEvents, keepDigests } from '../../activities/index.ts'
import { anyOf, keepPast } from '../../assets/index.ts'
import { forgetCards } from '../../billing/cards/index.ts'
import { systemActor, type App, type Tx } from '../../kernel/app.ts'
import { task } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'

const atOnce = 500

/** Removes what is personal of accounts whose grace is over, part by part: broken off, the next run goes on where it was. */
export async function eraseClosed(app: App): Promise<void> {
  const due = await app.db
    .selectFrom('account')
    .select('id')
    .where('erase_at', '<=', app.clock.now())
    .where('erased_at', 'is', null)
    .orderBy('erase_at')
    .execute()
  for (const { id } of due) await eraseAccount(app, id)
}

async function eraseAccount(app: App, account_id: string): Promise<void> {
  const inParts = async (part: (tx: Tx) => Promise<number>) => {
    while ((await app.db.transaction().execute(part)) > 0);
  }
  // SIMs go back into stock without a name; one whose session never ended is let go of with its session.
  await inParts((tx) => removeSessions(tx, account_id))
  await inParts((tx) => freeAssets(tx, account_id))
  // A gateway may have reported meanwhile of a SIM that was still there: its new session would count for nobody, and never end.
  await inParts((tx) => removeSessions(tx, account_id))
  await app.db.transaction().execute((tx) => removeRows(tx, account_id))
  // What is in no chain yet cannot go: another process may be at that, or something happened just now. Then the next run comes back.
  while (await chainEvents(app));
  await inParts((tx) => removeActivities(tx, account_id, app.clock.now()))
  await app.db.transaction().execute(async (tx) => {
    const left = await tx.selectFrom('event').select('id').where('account_id', '=', account_id).limit(1).executeTakeFirst()
    if (left) return
    const at = app.clock.now()
    const gone = {
      email: sql<string>`id || '@closed.invalid'`,
      name: null,
      password_hash: null,
      permissions: [],
      groups: [],
      email_proven_at: null,
      email_proven_by: null,
    }
    await tx.updateTable('person').set(gone).where('account_id', '=', account_id).execute()
    await tx
      .updateTable('account')
      .set({ team_name: 'Closed account', timezone: 'UTC', suspended_at: at, suspended_reason: 'The account is closed', erased_at: at })
      .where('id', '=', account_id)
      .execute()
    await record(tx, systemActor(account_id, at), accountErased, {})
  })
}

const count = async (statement: ReturnType<typeof sql>, tx: Tx) => Number((await statement.execute(tx)).numAffectedRows ?? 0n)

const removeSessions = (tx: Tx, account_id: string) =>
  count(
    sql`delete from data_session where (account_id, id) in
    (select account_id, id from data_session where account_id = ${account_id} limit ${atOnce})`,
    tx
  )

async function freeAssets(tx: Tx, account_id: string): Promise<number> {
  const assets = await tx.selectFrom('asset').select('id').where('account_id', '=', account_id).limit(atOnce).execute()
  const ids = assets.map(({ id }) => id)
  await keepPast(tx, account_id, ids)
  await tx.deleteFrom('asset').where('account_id', '=', account_id).where('id', '=', anyOf(ids)).execute()
  await sql`update inventory set account_id = null, asset_id = null, registered_at = null
    where account_id = ${account_id} and asset_id = any(${ids}::text[])`.execute(tx)
  return ids.length
}

/** By the account, then by its person. What hangs on a row goes with it. erased-tables.test.ts refuses a table that is neither here nor kept for a reason. */
export const ofAccount = [
  'membership',
  'invitation',
  'api_key',
  'webhook',
  'alert',
  'alert_rule',
  'notification_preference',
  'account_note',
  'tag',
  'bulk_change',
  'asset_list',
  'asset_view',
  'asset_moving',
  'asset_moving_copy',
  'fleet',
  'core_deployment',
  'agent_rules',
  'terminal_session',
  'tunnel',
  'support_access',
  'registry_account',
  'registry_robot',
  'registry_scan',
  'registry_signing_key',
  'registry_to_rank',
  'report_schedule',
  'report',
  'balance_rule',
  'billing_profile',
  'enforcement',
  'usage_limit',
  'network_group',
  'data_pool',
  'connection_event',
  'device_minute',
  'device_hour',
  'sim_sent',
  'sim_lapse',
  'account_work_hour',
  'account_judged',
  'account_export',
  'staff_view',
]
export const ofPerson = [
  'membership',
  'session',
  'identity',
  'identity_attempt',
  'passkey',
  'authenticator',
  'recovery_code',
  'one_time_secret',
  'alert_read',
  'alert_delivery',
  'notification_preference',
]

async function removeRows(tx: Tx, account_id: string): Promise<void> {
  const { id, email } = await tx.selectFrom('person').select(['id', 'email']).where('account_id', '=', account_id).executeTakeFirstOrThrow()
  await forgetCards(tx, account_id)
  for (const table of ofAccount) await sql`delete from ${sql.table(table)} where account_id = ${account_id}`.execute(tx)
  for (const table of ofPerson) await sql`delete from ${sql.table(table)} where person_id = ${id}`.execute(tx)
  await tx.deleteFrom('mail').where('to_email', '=', email).execute()
  await tx.deleteFrom('invitation').where('email', '=', email).execute()
  // What was handed over to them and never registered goes back to who did so, or is free where they are gone, too.
  await sql`update inventory set reserved_for = (select p.email from person p join account a on a.id = p.account_id
      where a.id = inventory.released_by and a.erased_at is null and p.id <> ${id})
    where reserved_for = ${email}`.execute(tx)
}

/** Those that are in the chain. */
async function removeActivities(tx: Tx, account_id: string, at: Date): Promise<number> {
  const ids = await keepDigests(tx, account_id, at, atOnce)
  if (ids.length > 0) await tx.deleteFrom('event').where('account_id', '=', account_id).where('id', 'in', ids).execute()
  return ids.length
}

export const eraseTask = task('account.erase_closed', eraseClosed, '27 2 * * *')

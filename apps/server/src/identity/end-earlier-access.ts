import { endedWords, type Ended } from '@masthead/contract/auth/ended-access'
import { earlierAccessEnded } from '@masthead/contract/auth/events'
import { sql, type SqlBool } from 'kysely'
import { notifySecurity } from '../factors/index.ts'
import type { Actor, Tx } from '../kernel/app.ts'
import { endStreams } from '../kernel/live/streams.ts'

/**
 * Ends everything that could act for a person, or on their account: whoever opened it with an address that is not theirs keeps nothing when its
 * owner comes by a provider, or sets a password by a mailed link (`provider` null: that may also be who opened it, at another machine; keys, webhooks
 * and deployments wait to be switched on again). Assets, names and activities stay. `name`: by what they came.
 * `sessions`: how many of theirs were closed already. `owner` acts on their own account; they read it in the activities, by an alert and by mail.
 */
export async function endEarlierAccess(
  tx: Tx,
  owner: Actor,
  { provider, name, sessions }: { provider: string | null; name: string; sessions: number }
): Promise<void> {
  const { person_id, account_id, email } = owner
  const isMild = provider === null
  const { password_hash } = await tx.selectFrom('person').select('password_hash').where('id', '=', person_id).executeTakeFirstOrThrow()
  await tx.updateTable('person').set({ password_hash: null }).where('id', '=', person_id).execute()
  const authenticator = await tx.deleteFrom('authenticator').where('person_id', '=', person_id).returning('confirmed_at').executeTakeFirst()
  await tx.deleteFrom('recovery_code').where('person_id', '=', person_id).execute()
  await tx.deleteFrom('identity_attempt').where('person_id', '=', person_id).execute()
  const links = await tx
    .deleteFrom('one_time_secret')
    .where('person_id', '=', person_id)
    .where('used_at', 'is', null)
    .where('purpose', 'in', ['password_reset', 'email_change', 'email_proof'])
    .returning('purpose')
    .execute()
  await tx.deleteFrom('one_time_secret').where('person_id', '=', person_id).where('used_at', 'is', null).execute()
  const members = await tx.deleteFrom('membership').where('account_id', '=', account_id).returning('person_id').execute()
  await tx.updateTable('session').set({ acting_as: null }).where('acting_as', '=', account_id).execute()
  for (const member of members) await endStreams(tx, { person_id: member.person_id, account_id })
  const ended: Ended = {
    password: password_hash !== null,
    authenticator: Boolean(authenticator?.confirmed_at),
    sessions,
    passkeys: countOf(await tx.deleteFrom('passkey').where('person_id', '=', person_id).executeTakeFirst()),
    identities: countOf(await tx.deleteFrom('identity').where('person_id', '=', person_id).executeTakeFirst()),
    // Also what they made on accounts of others, and others on theirs.
    api_keys: await endKeys(tx, owner, 'api_key', isMild),
    webhooks: await endKeys(tx, owner, 'webhook', isMild),
    members: members.length,
    invitations: countOf(
      await tx
        .deleteFrom('invitation')
        .where((eb) => eb.or([eb('account_id', '=', account_id), eb('inviter_id', '=', person_id)]))
        .executeTakeFirst()
    ),
    robots: countOf(
      await tx
        .deleteFrom('registry_robot')
        .where((eb) => eb.or([eb('account_id', '=', account_id), eb('person_id', '=', person_id)]))
        .executeTakeFirst()
    ),
    deployments: await endDeployments(tx, owner, isMild),
    claim_codes: countOf(await tx.deleteFrom('claim_code').where('account_id', '=', account_id).executeTakeFirst()),
    mailings: await endMailings(tx, owner),
    links: links.length,
  }
  const opened = isMild
    ? `Nobody had shown that the e-mail address of your account was theirs before you came by ${name}. If you opened it, nothing is wrong.`
    : `Somebody had opened an account with your e-mail address before you came by ${name}, and nobody had shown that the address was theirs.`
  const again = isMild ? ' API keys, webhooks and CORE deployments are only switched off: switch on again what is yours.' : ''
  const words = `${opened} Whatever could act for that account was ended: ${endedWords(ended)}.${again} Its assets and activities stayed.`
  await notifySecurity(tx, owner, earlierAccessEnded, { provider: provider ?? '', email, ...ended }, words)
}

/** `isMild`: they are switched off, and can be switched on again by whoever has the account now. */
async function endKeys(tx: Tx, { person_id, account_id, at }: Actor, table: 'api_key' | 'webhook', isMild: boolean): Promise<number> {
  const theirs = sql`(account_id = ${account_id} or created_by = ${person_id})`
  const because = table === 'webhook' ? sql`, disabled_because = 'person'` : sql``
  const end = isMild
    ? sql`update ${sql.table(table)} set disabled_at = ${at} ${because} where ${theirs} and disabled_at is null`
    : sql`delete from ${sql.table(table)} where ${theirs}`
  const { numAffectedRows = 0n } = await end.execute(tx)
  return Number(numAffectedRows)
}

/** Whose tokens make devices of whoever holds them this account's. Those that did so before stay, as assets do. `isMild`: they are paused. */
async function endDeployments(tx: Tx, { account_id, at }: Actor, isMild: boolean): Promise<number> {
  const end = isMild ? { paused_at: at } : { revoked_at: at }
  const { numUpdatedRows } = await tx
    .updateTable('core_deployment')
    .set(end)
    .where('account_id', '=', account_id)
    .where(isMild ? 'paused_at' : 'revoked_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** What is mailed to addresses that others chose: schedules of reports, reports on their way, links to those that were made, and invoices. */
async function endMailings(tx: Tx, { account_id }: Actor): Promise<number> {
  await tx.deleteFrom('report_link').where('account_id', '=', account_id).execute()
  const mailed = sql<SqlBool>`recipients <> '{}'`
  await tx.updateTable('report').set({ recipients: [] }).where('account_id', '=', account_id).where(mailed).execute()
  const schedules = tx.updateTable('report_schedule').set({ recipients: [] }).where('account_id', '=', account_id).where(mailed)
  const invoices = tx
    .updateTable('billing_profile')
    .set({ emails: [] })
    .where('account_id', '=', account_id)
    .where(sql<SqlBool>`emails <> '{}'`)
  const ended = [await schedules.executeTakeFirst(), await invoices.executeTakeFirst()]
  return ended.reduce((sum, { numUpdatedRows }) => sum + Number(numUpdatedRows), 0)
}

const countOf = ({ numDeletedRows }: { numDeletedRows: bigint }) => Number(numDeletedRows)

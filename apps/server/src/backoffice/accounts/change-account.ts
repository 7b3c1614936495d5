import { emailProvenAlready } from '@masthead/contract/auth/problems'
import {
  accountResumed,
  accountSuspended,
  emailProvedByStaff,
  featuresChanged,
  groupsChanged,
  registryQuotaSet,
  testAllowanceSet,
} from '@masthead/contract/backoffice/events'
import { accountNotSuspended, accountSuspendedAlready, personUnknown } from '@masthead/contract/backoffice/problems'
import { noteAdded } from '@masthead/contract/backoffice/staff-actions'
import type { addNote as addNoteOp, CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { newId } from '@masthead/contract/kernel/id'
import type { Reply } from '@masthead/contract/kernel/operation'
import { accountClosed as closedByOwner, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { getAccountForUpdate, getAccountOf, getCustomer } from './accounts.ts'
import { getQuota, setQuota } from '../../registry/index.ts'
import { recordStaff } from '../staff/staff-log.ts'
import { keepManager, needStaffRights } from '../staff/staff.ts'

/** Suspends an account; its SIMs lose their service by an effect. Throws not_found, staff_own_account, staff_may_more, last_staff_manager, account_suspended_already. */
export async function suspendAccount(tx: Tx, actor: Actor, email: string, reason: string): Promise<CustomerDetails> {
  const account = await getForeign(tx, actor, email)
  if (account.suspended_at) throw new Problem(accountSuspendedAlready)
  const suspended = { suspended_at: actor.at, suspended_reason: reason }
  await keepManager(tx, () => tx.updateTable('account').set(suspended).where('id', '=', account.id).execute())
  await recordStaff(
    tx,
    actor,
    accountSuspended,
    { reason },
    { account, reason, before: { suspended: false }, after: { suspended: true, suspended_reason: reason } }
  )
  return getCustomer(tx, actor, account.id)
}

/** Ends a suspension; the SIMs get their service back by an effect. Throws not_found, staff_own_account, staff_may_more, account_not_suspended. */
export async function resumeAccount(tx: Tx, actor: Actor, email: string, reason: string): Promise<CustomerDetails> {
  const account = await getForeign(tx, actor, email)
  if (!account.suspended_at) throw new Problem(accountNotSuspended)
  if (account.closed_at) throw new Problem(closedByOwner, 'The owner has closed the account: only they can reopen it')
  await tx.updateTable('account').set({ suspended_at: null, suspended_reason: null }).where('id', '=', account.id).execute()
  const before = { suspended: true, suspended_reason: account.suspended_reason, suspended_at: account.suspended_at }
  await recordStaff(tx, actor, accountResumed, { reason }, { account, reason, before, after: { suspended: false } })
  return getCustomer(tx, actor, account.id)
}

/**
 * Says that the e-mail address of an account is its owner's, who can show it in no other way. Nobody says it of their own. Throws not_found,
 * staff_own_account, staff_may_more, email_proven_already.
 */
export async function proveEmail(tx: Tx, actor: Actor, email: string, reason: string): Promise<CustomerDetails> {
  const account = await getForeign(tx, actor, email)
  const { numUpdatedRows } = await tx
    .updateTable('person')
    .set({ email_proven_at: actor.at, email_proven_by: 'staff' })
    .where('account_id', '=', account.id)
    .where('email_proven_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Problem(emailProvenAlready)
  const line = { account, reason, before: { email_proven: false }, after: { email_proven: true } }
  await recordStaff(tx, actor, emailProvedByStaff, { email: account.email, reason }, line)
  return getCustomer(tx, actor, account.id)
}

/** The account of another, locked, where the actor may act on it. */
async function getForeign(tx: Tx, actor: Actor, email: string) {
  await needStaffRights(tx, actor, await getAccountOf(tx, email))
  return getAccountForUpdate(tx, email)
}

/** What the parts that can be switched are called in sentences. */
const flagWords = { network_groups: 'network groups' } as const
type Flags = { [Name in keyof typeof flagWords]: boolean }

/**
 * Switches parts of the console on or off for an account. What is as wanted already is no change. Throws not_found, staff_own_account,
 * staff_may_more.
 */
export async function updateFeatureFlags(
  tx: Tx,
  actor: Actor,
  email: string,
  { reason, ...wanted }: Flags & { reason: string }
): Promise<CustomerDetails> {
  const account = await getForeign(tx, actor, email)
  const before: Flags = account.feature_flags
  const changed = (Object.keys(flagWords) as (keyof Flags)[]).filter((name) => before[name] !== wanted[name])
  if (changed.length > 0) {
    const after = { ...before, ...wanted }
    await tx
      .updateTable('account')
      .set({ feature_flags: JSON.stringify(after) })
      .where('id', '=', account.id)
      .execute()
    const wordsOf = (on: boolean) => changed.filter((name) => wanted[name] === on).map((name) => flagWords[name])
    await recordStaff(tx, actor, featuresChanged, { on: wordsOf(true), off: wordsOf(false), reason }, { account, reason, before, after })
  }
  return getCustomer(tx, actor, account.id)
}

/** Puts the owner of an account into groups, and out of all others. Throws not_found, staff_own_account, staff_may_more. */
export async function updateGroups(
  tx: Tx,
  actor: Actor,
  email: string,
  { groups, reason }: { groups: readonly string[]; reason: string }
): Promise<CustomerDetails> {
  const account = await getForeign(tx, actor, email)
  await setGroups(tx, actor, account, { groups, reason })
  return getCustomer(tx, actor, account.id)
}

/** The same at the machine. Throws person_unknown. */
export async function groupPerson(tx: Tx, actor: Actor, email: string, groups: readonly string[]): Promise<string[]> {
  const person = await tx.selectFrom('person').select('account_id').where('email', '=', email).executeTakeFirst()
  if (!person) throw new Problem(personUnknown, `Nobody is registered with the e-mail ${email}`)
  return setGroups(tx, actor, { id: person.account_id, email }, { groups, reason: 'At the machine of the installation' })
}

/** What is as wanted already is no change. Answers them in order, once each. */
async function setGroups(
  tx: Tx,
  actor: Actor,
  account: { id: string; email: string },
  { groups: wanted, reason }: { groups: readonly string[]; reason: string }
): Promise<string[]> {
  const groups = [...new Set(wanted)].toSorted()
  const owner = tx.selectFrom('person').select(['id', 'groups']).where('account_id', '=', account.id)
  const { id, groups: before } = await owner.forNoKeyUpdate().executeTakeFirstOrThrow()
  if (before.join(' ') === groups.join(' ')) return groups
  await tx.updateTable('person').set({ groups }).where('id', '=', id).execute()
  const about = { account, reason, before: { groups: before }, after: { groups } }
  await recordStaff(tx, actor, groupsChanged, { email: account.email, groups, reason }, about)
  return groups
}

/** What each SIM that is registered from now on may use for free. Throws not_found, staff_own_account, staff_may_more. */
export async function setTestAllowance(
  tx: Tx,
  actor: Actor,
  email: string,
  { bytes, reason }: { bytes: number | null; reason: string }
): Promise<CustomerDetails> {
  const account = await getForeign(tx, actor, email)
  if (account.test_bytes !== bytes) {
    await tx.updateTable('account').set({ test_bytes: bytes }).where('id', '=', account.id).execute()
    const changed = { before: { test_bytes: account.test_bytes }, after: { test_bytes: bytes } }
    await recordStaff(tx, actor, testAllowanceSet, { bytes, reason }, { account, reason, ...changed })
  }
  return getCustomer(tx, actor, account.id)
}

/** What an account may keep in the registry; null is what every account may. Throws not_found, staff_own_account, staff_may_more. */
export async function setRegistryQuota(
  tx: Tx,
  actor: Actor,
  email: string,
  { bytes, reason }: { bytes: number | null; reason: string }
): Promise<CustomerDetails> {
  const account = await getForeign(tx, actor, email)
  const now = await getQuota(tx, account.id)
  const before = now.own ? now.quota_bytes : null
  if (before !== bytes) {
    await setQuota(tx, account.id, bytes, actor.at)
    const changed = { before: { registry_quota_bytes: before }, after: { registry_quota_bytes: bytes } }
    await recordStaff(tx, actor, registryQuotaSet, { bytes, reason }, { account, reason, ...changed })
  }
  return getCustomer(tx, actor, account.id)
}

/** Writes a note that staff alone see. Throws not_found. */
export async function addNote(tx: Tx, actor: Actor, email: string, text: string): Promise<Reply<typeof addNoteOp>> {
  const account = await getAccountOf(tx, email)
  const id = newId('note', actor.at.getTime())
  await tx.insertInto('account_note').values({ account_id: account.id, id, by_email: actor.email, text, created_at: actor.at }).execute()
  // No event on the account: notes are no customer's business.
  await recordStaff(tx, actor, noteAdded, { account: account.email }, { target: account.email, after: { text } })
  return { id, by: actor.email, text, created_at: actor.at.toISOString() }
}

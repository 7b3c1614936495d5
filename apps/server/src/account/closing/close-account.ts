import { dayOf } from '@masthead/contract/kernel/time'
import type { FastifyRequest } from 'fastify'
import {
  accountClosedAlready,
  accountNotClosed,
  closeAccount as closeOperation,
  graceDays,
  reopenAccount as reopenOperation,
} from '@masthead/contract/account/closing-operations'
import { accountClosed, accountReopened } from '@masthead/contract/auth/events'
import type { Proof } from '@masthead/contract/auth/proof'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import { closeSessionsOf, requireFreshProof } from '../../auth/index.ts'
import { keepManager, lockStaff } from '../../backoffice/index.ts'
import { notifySecurity } from '../../factors/index.ts'
import type { Actor, App, Db, Tx } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { endStreams } from '../../kernel/live/streams.ts'

type Call<Body> = { app: App; request: FastifyRequest; actor: Actor; body: Body }

const day = 86_400_000 // ms
const closedWords = 'The account is closed'

const ownOf = (db: Db, { person_id }: Actor) =>
  db
    .selectFrom('person')
    .innerJoin('account', 'account.id', 'person.account_id')
    .select(['account.id', 'person.email', 'account.closed_at', 'account.erase_at', 'account.suspended_at'])
    .where('person.id', '=', person_id)

/**
 * Closes the account of whoever is signed in. At once its SIMs have no service, nobody else works on it, and its keys and webhooks do nothing; after the
 * grace what is personal goes (erase-account.ts). Throws invalid_request, account_closed_already, last_staff_manager.
 */
export async function closeAccount({ body: { confirmation, ...proof }, ...visit }: Call<Proof & { confirmation: string }>) {
  const { app, request, actor } = visit
  if (confirmation.toLowerCase() !== actor.email) {
    const words = `Type ${actor.email} to confirm`
    throw new Problem(invalidRequest, words, { fields: { confirmation: words } })
  }
  const spend = await requireFreshProof(visit, proof)
  const erase_at = new Date(actor.at.getTime() + graceDays * day)
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, closeOperation, async () => {
      // Who manages staff may be closing at the same moment, or suspended: each sees what became of the other.
      await lockStaff(tx)
      await spend(tx)
      const account = await ownOf(tx, actor).forUpdate('account').executeTakeFirstOrThrow()
      if (account.closed_at) throw new Problem(accountClosedAlready)
      // What staff suspended stays suspended when it is reopened.
      const held = account.suspended_at ? {} : { suspended_at: actor.at, suspended_reason: closedWords }
      const change = { closed_at: actor.at, erase_at, ...held }
      await keepManager(tx, () => tx.updateTable('account').set(change).where('id', '=', account.id).execute())
      const left = await endOthers(tx, account.id, actor.at)
      await closeSessionsOf(tx, actor.person_id, { at: actor.at, kept: actor.session_id })
      const words = `Your account was closed. You can reopen it until ${dayOf(erase_at)} on your profile; then it is removed.`
      await notifySecurity(tx, actor, accountClosed, { ...left, erase_at: erase_at.toISOString() }, words)
      return { erase_at: erase_at.toISOString() }
    })
  )
}

/** Nobody and nothing else acts on the account. Members are invited anew after a reopening, keys and webhooks switched on one by one. */
async function endOthers(tx: Tx, account_id: string, at: Date) {
  const members = await tx.deleteFrom('membership').where('account_id', '=', account_id).returning('person_id').execute()
  for (const { person_id } of members) await endStreams(tx, { person_id, account_id })
  await tx.deleteFrom('invitation').where('account_id', '=', account_id).execute()
  await tx.deleteFrom('claim_code').where('account_id', '=', account_id).execute()
  const keys = tx.updateTable('api_key').set({ disabled_at: at }).where('account_id', '=', account_id).where('disabled_at', 'is', null)
  const hooks = tx
    .updateTable('webhook')
    .set({ disabled_at: at, disabled_because: 'person' })
    .where('account_id', '=', account_id)
    .where('disabled_at', 'is', null)
  const [api_keys, webhooks] = [await keys.executeTakeFirstOrThrow(), await hooks.executeTakeFirstOrThrow()]
  return { members: members.length, api_keys: Number(api_keys.numUpdatedRows), webhooks: Number(webhooks.numUpdatedRows) }
}

/** Reopens it while nothing was removed. Throws account_not_closed. */
export async function reopenAccount({ body: proof, ...visit }: Call<Proof>): Promise<void> {
  const { app, request, actor } = visit
  const spend = await requireFreshProof(visit, proof)
  await app.db.transaction().execute((tx) =>
    once(tx, actor, request, reopenOperation, async () => {
      await spend(tx)
      const account = await ownOf(tx, actor).forUpdate('account').executeTakeFirstOrThrow()
      if (!account.closed_at || !account.erase_at || account.erase_at <= actor.at) throw new Problem(accountNotClosed)
      const byClosing = account.suspended_at?.getTime() === account.closed_at.getTime()
      const served = byClosing ? { suspended_at: null, suspended_reason: null } : {}
      await tx
        .updateTable('account')
        .set({ closed_at: null, erase_at: null, ...served })
        .where('id', '=', account.id)
        .execute()
      await notifySecurity(tx, actor, accountReopened, {}, 'Your account was reopened.')
      return {}
    })
  )
}

/** When it was closed and when it goes; null: it is open. */
export async function getClosing(db: Db, actor: Actor) {
  const { id, closed_at, erase_at } = await ownOf(db, actor).executeTakeFirstOrThrow()
  return { account_id: id, closed_at: closed_at?.toISOString() ?? null, erase_at: erase_at?.toISOString() ?? null }
}

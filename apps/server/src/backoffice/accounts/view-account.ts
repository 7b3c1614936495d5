import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { accountEntered } from '@masthead/contract/backoffice/events'
import { viewNeeded } from '@masthead/contract/backoffice/problems'
import { stopViewing as stopOp, viewAccount as viewOp } from '@masthead/contract/backoffice/account-operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import { endStays, rotateSession } from '../../auth/index.ts'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { endStreams } from '../../kernel/live/streams.ts'
import { getAccountOf } from './accounts.ts'
import { recordStaff, stayOf } from '../staff/staff-log.ts'
import { needStaffRights } from '../staff/staff.ts'

const viewLength = 30 * 60_000 // ms

type Call = { app: App; request: FastifyRequest; actor: Actor }

/**
 * From now on the session sees the account as its owner does, and nothing it sends can change anything. It ends by itself, or by stopViewing.
 * The stay in the backoffice ends by it, and the session gets another secret. Throws not_found, staff_own_account, staff_may_more.
 */
export function viewAccount({ app, request, actor, params, body }: Call & Parsed<typeof viewOp>): Promise<Reply<typeof viewOp>> {
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, viewOp, async () => {
      const view = await beginView(tx, actor, params.email, body.reason)
      await rotateSession(tx, { request, actor })
      return view
    })
  )
}

async function beginView(tx: Tx, actor: Actor, email: string, reason: string): Promise<Reply<typeof viewOp>> {
  const account = await getAccountOf(tx, email)
  await needStaffRights(tx, actor, account, 'This is your own account: you see its console anyway')
  const { session_id } = actor
  const stay = await stayOf(tx, actor)
  if (!session_id || !stay) throw new Problem(viewNeeded, 'Your session has ended')
  const expires_at = new Date(actor.at.getTime() + viewLength)
  const view = { account_id: account.id, stay_id: stay.id, reason, started_at: actor.at, expires_at }
  await tx
    .insertInto('staff_view')
    .values({ session_id, ...view })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(view))
    .execute()
  await recordStaff(tx, actor, accountEntered, { reason, until: expires_at.toISOString() }, { account, reason })
  await endStreams(tx, { person_id: actor.person_id, session_id })
  // Who looks at the console has left the backoffice.
  await endStays(tx, actor, actor.at)
  return { email: account.email, expires_at: expires_at.toISOString() }
}

/** The session is on its own account again. Answers whose account it looked at. Throws not_viewing. */
export function stopViewing({ app, request, actor }: Call): Promise<Reply<typeof stopOp>> {
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, stopOp, async () => {
      const viewed = await endView(tx, actor)
      await rotateSession(tx, { request, actor })
      return viewed
    })
  )
}

async function endView(tx: Tx, { person_id, session_id }: Actor): Promise<Reply<typeof stopOp>> {
  const ended = await tx
    .deleteFrom('staff_view')
    .where('session_id', '=', session_id ?? '')
    .returning(sql<string>`(select email from person where person.account_id = staff_view.account_id)`.as('email'))
    .executeTakeFirst()
  if (!ended) throw new Problem(viewNeeded)
  await endStreams(tx, { person_id, session_id: session_id! })
  return ended
}

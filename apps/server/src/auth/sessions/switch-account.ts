import type { FastifyRequest } from 'fastify'
import { switchAccount as switchOperation } from '@masthead/contract/auth/operations'
import { notAMember } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { endStreams } from '../../kernel/live/streams.ts'
import { handOn, rotateSession } from './rotate-session.ts'

type Call = { app: App; request: FastifyRequest; actor: Actor; body: { team_member_email: string } }

/**
 * Acts on a team owner's account from now on, in this session alone; one's own e-mail goes back. What the session may do changes, so its
 * secret does too. Throws not_a_member.
 */
export async function switchAccount({ body, actor, app, request }: Call): Promise<void> {
  // The account and what may be done there change with the call, so they are no part of what a repetition is known by.
  const person: Actor = { ...actor, account_id: actor.person_id, permissions: [], tags: [] }
  await app.db.transaction().execute(async (tx) => {
    let ran = false
    await once(tx, person, request, switchOperation, async () => {
      ran = true
      const acting_as = await findActingAccount(tx, actor, body.team_member_email)
      await tx
        .updateTable('session')
        .set({ acting_as })
        .where('id', '=', actor.session_id ?? '')
        .execute()
      await endStreams(tx, { person_id: actor.person_id, session_id: actor.session_id ?? '' })
      return {}
    })
    // A repetition is asked again: the membership may have ended since.
    if (!ran) await findActingAccount(tx, actor, body.team_member_email)
    await (ran ? rotateSession(tx, { request, actor }) : handOn(tx, { request, actor }))
  })
}

/** The account to act on; null is one's own. A membership that is being ended is waited for, so that nobody arrives after its end. */
async function findActingAccount(tx: Tx, { email, person_id }: Actor, owner: string): Promise<string | null> {
  if (owner === email) return null
  const membership = await tx
    .selectFrom('membership')
    .innerJoin('person as owner', 'owner.account_id', 'membership.account_id')
    .select('membership.account_id')
    .where('membership.person_id', '=', person_id)
    .where('owner.email', '=', owner)
    .forShare('membership')
    .executeTakeFirst()
  if (!membership) throw new Problem(notAMember)
  return membership.account_id
}

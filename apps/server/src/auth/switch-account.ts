import type { FastifyRequest } from 'fastify'
import { switchAccount as switchOperation } from '@masthead/contract/auth/operations'
import { notAMember } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { once } from '../kernel/idempotency.ts'

type Call = { app: App; request: FastifyRequest; actor: Actor; body: { team_member_email: string } }

/** Acts on a team owner's account from now on, in this session alone; one's own e-mail goes back. Throws not_a_member. */
export async function switchAccount({ app, request, actor, body }: Call): Promise<void> {
  // The account changes with the call, so it is no part of what a repetition is known by.
  const person = { ...actor, account_id: actor.person_id }
  await app.db.transaction().execute((tx) =>
    once(tx, person, request, switchOperation, { params: {}, query: {}, body }, async () => {
      const acting_as = await findActingAccount(tx, actor, body.team_member_email)
      await tx
        .updateTable('session')
        .set({ acting_as })
        .where('id', '=', actor.session_id ?? '')
        .execute()
      return {}
    })
  )
}

/** The account to act on; null is one's own. */
async function findActingAccount(tx: Tx, { email, person_id }: Actor, owner: string): Promise<string | null> {
  if (owner === email) return null
  const membership = await tx
    .selectFrom('membership')
    .innerJoin('person as owner', 'owner.account_id', 'membership.account_id')
    .select('membership.account_id')
    .where('membership.person_id', '=', person_id)
    .where('owner.email', '=', owner)
    .executeTakeFirst()
  if (!membership) throw new Problem(notAMember)
  return membership.account_id
}

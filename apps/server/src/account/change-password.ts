import type { FastifyRequest } from 'fastify'
import { changePassword as changeOperation } from '@masthead/contract/account/security-operations'
import { passwordChanged } from '@masthead/contract/auth/events'
import type { Proof } from '@masthead/contract/auth/proof'
import { closeSessionsOf, hashPassword, requireFreshProof, rotateSession } from '../auth/index.ts'
import { checkNewPassword, notifySecurity, withdrawSecrets } from '../factors/index.ts'
import type { Actor, App } from '../kernel/app.ts'
import { once } from '../kernel/http/idempotency.ts'

type Call = { app: App; request: FastifyRequest; actor: Actor; body: Proof & { new_password: string } }

/** Sets another password. Every other session ends, links and half sign-ins are worth nothing, this session gets a new cookie at once. */
export async function changePassword({ body: { new_password, ...proof }, ...call }: Call): Promise<void> {
  const { app, request, actor } = call
  await checkNewPassword(new_password, actor.email, 'new_password')
  const spend = await requireFreshProof(call, proof)
  const password_hash = await hashPassword(new_password)
  await app.db.transaction().execute(async (tx) => {
    await once(tx, actor, request, changeOperation, async () => {
      await spend(tx)
      await tx.updateTable('person').set({ password_hash }).where('id', '=', actor.person_id).execute()
      // An e-mail change that somebody else began would give them the next link to set a password.
      await withdrawSecrets(tx, actor.person_id, ['password_reset', 'second_step', 'email_change'])
      await closeSessionsOf(tx, actor.person_id, { at: actor.at, kept: actor.session_id })
      await rotateSession(tx, call, { at_once: true })
      await notifySecurity(tx, actor, passwordChanged, { by_mail: false }, 'Your password was changed. Every other session was signed out.')
      return {}
    })
  })
}

import type { FastifyRequest } from 'fastify'
import {
  addPasskey as addOperation,
  mostPasskeys,
  removePasskey as removeOperation,
  startPasskey as startOperation,
  tooManyPasskeys,
  type Passkey,
} from '@masthead/contract/account/security-operations'
import { passkeyAdded, passkeyRemoved } from '@masthead/contract/auth/events'
import { lastWayIn } from '@masthead/contract/auth/problems'
import type { Proof } from '@masthead/contract/auth/proof'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { markTwoFactors, requireFreshProof, rotateSession } from '../auth/index.ts'
import { checkNewPasskey, dropFactor, startPasskey as start, notifySecurity } from '../factors/index.ts'
import { hasWayIn } from '../identity/index.ts'
import type { Actor, App, Db, Tx } from '../kernel/app.ts'
import { once } from '../kernel/http/idempotency.ts'
import { listPasskeys } from './get-security.ts'

type Visit = { app: App; request: FastifyRequest; actor: Actor }

/** What the browser needs to make a passkey. Throws too_many_passkeys. */
export async function startPasskey({ body, ...visit }: Visit & { body: Proof }): Promise<Record<string, unknown>> {
  const { app, request, actor } = visit
  const spend = await requireFreshProof(visit, body)
  return app.db.transaction().execute((tx) =>
    once<Record<string, unknown>>(tx, actor, request, startOperation, async () => {
      if ((await listPasskeys(tx, actor.person_id)).length >= mostPasskeys) throw new Problem(tooManyPasskeys)
      await spend(tx)
      return { ...(await start(tx, { app, request, at: actor.at }, actor)) }
    })
  )
}

/** Keeps the passkey that the browser made for a challenge of the last minutes; who asked for it has proved themselves then. */
export async function addPasskey({ app, request, actor, body }: Visit & { body: { name: string; passkey: string } }): Promise<Passkey> {
  const keep = await checkNewPasskey({ app, request, at: actor.at }, actor.person_id, body.passkey)
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, addOperation, async () => {
      const id = await keep(tx, body.name)
      await markTwoFactors(tx, actor)
      await rotateSession(tx, { request, actor })
      await notifySecurity(tx, actor, passkeyAdded, { name: body.name }, `A passkey was added: ${body.name}.`)
      return getPasskey(tx, actor, id)
    })
  )
}

/** Renames a passkey. */
export async function updatePasskey(tx: Tx, actor: Actor, id: string, { name }: { name: string }): Promise<Passkey> {
  const passkey = await getPasskey(tx, actor, id)
  await tx.updateTable('passkey').set({ name }).where('id', '=', id).where('person_id', '=', actor.person_id).execute()
  return { ...passkey, name }
}

/** Removes a passkey: it no longer signs in. Throws not_found, last_factor_demanded, or last_way_in where nothing else would let the person in. */
export async function removePasskey({ params, body, ...visit }: Visit & { params: { passkey_id: string }; body: Proof }): Promise<void> {
  const { app, request, actor } = visit
  const spend = await requireFreshProof(visit, body)
  await app.db.transaction().execute((tx) =>
    once(tx, actor, request, removeOperation, async () => {
      const { id, name } = await getPasskey(tx, actor, params.passkey_id)
      await spend(tx)
      await dropFactor(tx, actor, () => tx.deleteFrom('passkey').where('id', '=', id).where('person_id', '=', actor.person_id).execute())
      if (!(await hasWayIn(tx, actor.person_id))) throw new Problem(lastWayIn)
      await notifySecurity(tx, actor, passkeyRemoved, { name }, `A passkey was removed: ${name}.`)
      return {}
    })
  )
}

async function getPasskey(db: Db, { person_id }: Actor, id: string): Promise<Passkey> {
  const passkey = (await listPasskeys(db, person_id)).find((each) => each.id === id)
  if (!passkey) throw new Problem(notFound)
  return passkey
}

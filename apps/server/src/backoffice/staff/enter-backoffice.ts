import type { FastifyRequest } from 'fastify'
import { backofficeEntered } from '@masthead/contract/backoffice/events'
import { enterBackoffice as enterOperation } from '@masthead/contract/backoffice/access-operations'
import { actingOnTeam, notStaff, staffFactorMissing } from '@masthead/contract/backoffice/problems'
import { newId } from '@masthead/contract/kernel/id'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { isStaff } from '@masthead/contract/kernel/permission'
import { Problem } from '@masthead/contract/kernel/problem'
import { requireFreshProof, signBackofficeToken } from '../../auth/index.ts'
import { findAuthenticator } from '../../factors/index.ts'
import type { Actor, App, Db } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { recordStaff } from './staff-log.ts'

const stayLength = 30 * 60_000 // ms

type Call = { app: App; request: FastifyRequest; actor: Actor } & Pick<Parsed<typeof enterOperation>, 'body'>

/**
 * Staff prove anew who they are, and get a stay of half an hour; one who is in there renews it so.
 * Throws not_staff, acting_on_team, staff_second_factor, and what requireFreshProof throws.
 */
export async function enterBackoffice({ body: { reason, ...proof }, ...call }: Call): Promise<Reply<typeof enterOperation>> {
  const { app, request, actor } = call
  const permissions = await staffPermissionsOf(app.db, actor)
  if (app.config.staffSecondFactor && !proof.passkey) await needCodes(app.db, actor)
  const spend = await requireFreshProof(call, proof)
  return app.db.transaction().execute((tx) =>
    // What proves it stays out of what is kept of the request.
    once(tx, actor, request, enterOperation, async () => {
      await spend(tx)
      const { at, person_id, ip } = actor
      const stay = { id: newId('stay', at.getTime()), person_id, expires_at: new Date(at.getTime() + stayLength) }
      await tx
        .insertInto('backoffice_stay')
        .values({ ...stay, session_id: actor.session_id ?? null, reason, ip, started_at: at, ended_at: null })
        .execute()
      const account = { id: actor.account_id, email: actor.email }
      await recordStaff(tx, { ...actor, kind: 'staff' }, backofficeEntered, { reason }, { account, reason })
      return { token: await signBackofficeToken(tx, { ...stay, permissions, at }), expires_at: stay.expires_at.toISOString() }
    })
  )
}

/** A passkey is two factors by itself; whoever comes without has a code asked for, which takes an app. */
async function needCodes(db: Db, { person_id }: Actor) {
  if (await findAuthenticator(db, person_id)) return
  const passkey = await db.selectFrom('passkey').select('id').where('person_id', '=', person_id).executeTakeFirst()
  throw new Problem(staffFactorMissing, passkey && 'Your password is one factor, and staff need two: use your passkey')
}

async function staffPermissionsOf(db: Db, { person_id, account_id }: Actor): Promise<string[]> {
  const person = await db.selectFrom('person').select(['account_id', 'permissions']).where('id', '=', person_id).executeTakeFirstOrThrow()
  if (!isStaff(person.permissions)) throw new Problem(notStaff)
  if (person.account_id !== account_id) throw new Problem(actingOnTeam)
  return person.permissions
}

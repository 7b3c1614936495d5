import type { FastifyRequest } from 'fastify'
import { credentialsWrong } from '@masthead/contract/auth/problems'
import { backofficeEntered } from '@masthead/contract/backoffice/events'
import { enterBackoffice as enterOperation } from '@masthead/contract/backoffice/operations'
import { actingOnTeam, notStaff } from '@masthead/contract/backoffice/problems'
import { newId } from '@masthead/contract/kernel/id'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import { checkPassword, signBackofficeToken } from '../auth/index.ts'
import type { Actor, App, Db } from '../kernel/app.ts'
import { once } from '../kernel/idempotency.ts'
import { record } from '../kernel/record.ts'

const stayLength = 30 * 60_000 // ms

type Call = { app: App; request: FastifyRequest; actor: Actor } & Pick<Parsed<typeof enterOperation>, 'body'>

/** Confirms staff by their password and opens a stay of half an hour. Throws not_staff, acting_on_team, credentials_wrong, too_many_requests. */
export async function enterBackoffice({ body: { password, reason }, ...call }: Call): Promise<Reply<typeof enterOperation>> {
  const { app, request, actor } = call
  const permissions = await staffPermissionsOf(app.db, actor)
  await checkPassword(call, { email: actor.email, password }).catch(sayPassword)
  return app.db.transaction().execute((tx) =>
    // The password stays out of what is kept of the request.
    once(tx, actor, request, enterOperation, { params: {}, query: {}, body: { reason } }, async () => {
      const { at, person_id, ip } = actor
      const stay = { id: newId('stay', at.getTime()), person_id, expires_at: new Date(at.getTime() + stayLength) }
      await tx
        .insertInto('backoffice_stay')
        .values({ ...stay, reason, ip, started_at: at, ended_at: null })
        .execute()
      await record(tx, { ...actor, kind: 'staff' }, backofficeEntered, { reason })
      return { token: await signBackofficeToken(tx, { ...stay, permissions, at }), expires_at: stay.expires_at.toISOString() }
    })
  )
}

async function staffPermissionsOf(db: Db, { person_id, account_id }: Actor): Promise<string[]> {
  const person = await db.selectFrom('person').select(['account_id', 'permissions']).where('id', '=', person_id).executeTakeFirstOrThrow()
  if (!person.permissions.includes('backoffice')) throw new Problem(notStaff)
  if (person.account_id !== account_id) throw new Problem(actingOnTeam)
  return person.permissions
}

function sayPassword(error: unknown): never {
  if (error instanceof Problem && error.kind === credentialsWrong) {
    throw new Problem(credentialsWrong, 'The password is wrong', { fields: { password: 'The password is wrong' } })
  }
  throw error
}

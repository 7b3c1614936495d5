import type { FastifyRequest } from 'fastify'
import type { Proof } from '@masthead/contract/auth/proof'
import { forbidden, Problem } from '@masthead/contract/kernel/problem'
import { secondFactorDemanded, secondFactorOptional } from '@masthead/contract/teams/events'
import { demandSecondFactor as demandOperation } from '@masthead/contract/teams/operations'
import { ownFactorMissing } from '@masthead/contract/teams/problems'
import { requireFreshProof } from '../../auth/index.ts'
import { findAuthenticator, hasFactor } from '../../factors/index.ts'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { record } from '../../kernel/record.ts'
import { endStreams } from '../../kernel/live/streams.ts'
import { lockTeam, type Owner } from '../team-queries.ts'

type Call = { app: App; request: FastifyRequest; actor: Actor; body: Proof & { demanded: boolean } }
type Answer = { demanded: boolean }

/**
 * Asks a second factor of everybody who acts on the account, or no longer. The owner's alone, by a fresh proof; who asks it of others has
 * one and proves it now, so that they are not the first to be shut out. Throws forbidden, own_factor_missing.
 */
export async function demandSecondFactor({ body: { demanded, ...proof }, ...visit }: Call): Promise<Answer> {
  const { app, request, actor } = visit
  if (actor.permissions !== 'all') throw new Problem(forbidden, 'Only the owner of the account can require this of everybody')
  if (demanded && !(await hasFactor(app.db, actor.person_id))) throw new Problem(ownFactorMissing)
  const spend = await requireFreshProof(visit, proof)
  return app.db.transaction().execute((tx) =>
    once<Answer>(tx, actor, request, demandOperation, async () => {
      const owner = await lockTeam(tx, actor.account_id)
      await spend(tx)
      // With an app on, a code was asked for beside the password.
      const byTwo = proof.passkey !== undefined || (await findAuthenticator(tx, actor.person_id)) !== null
      if (demanded && !byTwo) throw new Problem(ownFactorMissing, 'Confirm it with your second factor: use your passkey')
      await change(tx, actor, owner, demanded)
      return { demanded }
    })
  )
}

async function change(tx: Tx, actor: Actor, { account_id, person_id }: Owner, demanded: boolean) {
  const second_factor_demanded_at = demanded ? actor.at : null
  const changed = await tx
    .updateTable('account')
    .set({ second_factor_demanded_at })
    .where('id', '=', account_id)
    .where('second_factor_demanded_at', demanded ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  if (changed.numUpdatedRows === 0n) return
  const words = { second_factor: demanded ? 'demanded' : 'optional', old_second_factor: demanded ? 'optional' : 'demanded' } as const
  await record(tx, actor, demanded ? secondFactorDemanded : secondFactorOptional, words)
  const members = await tx.selectFrom('membership').select('person_id').where('account_id', '=', account_id).execute()
  // They come back at once, as who may and who may not.
  for (const one of [{ person_id }, ...members]) await endStreams(tx, { person_id: one.person_id, account_id })
}

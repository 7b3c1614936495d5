import { deploymentState } from '@masthead/contract/core/deployment'
import type { RefusalCode } from '@masthead/contract/core/enrolment'
import { tokenUnknown } from '@masthead/contract/core/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Db, Tx } from '../../kernel/app.ts'
import { hashDeploymentToken } from '../deployment-token.ts'

/** Whose a token is, also one that ended. Throws core_token_unknown. */
export async function findToken(db: Db, token: string) {
  const row = await db.selectFrom('core_deployment_token').selectAll().where('hash', '=', hashDeploymentToken(token)).executeTakeFirst()
  if (!row) throw new Problem(tokenUnknown)
  return row
}
export type FoundToken = Awaited<ReturnType<typeof findToken>>

/** The deployment of a token, locked: its devices come one after the other, so that no more come than it takes. */
export async function lockDeployment(tx: Tx, { account_id, deployment_id }: FoundToken) {
  const row = await tx
    .selectFrom('core_deployment')
    .innerJoin('account', 'account.id', 'core_deployment.account_id')
    .selectAll('core_deployment')
    .select(['account.suspended_at', 'account.closed_at'])
    .where('core_deployment.account_id', '=', account_id)
    .where('core_deployment.id', '=', deployment_id)
    .forUpdate('core_deployment')
    .executeTakeFirst()
  if (!row) throw new Problem(tokenUnknown)
  return row
}
export type LockedDeployment = Awaited<ReturnType<typeof lockDeployment>>

/** Why no device is answered by this token; null: it is. */
export function refusesAll({ expires_at }: FoundToken, deployment: LockedDeployment, at: Date): RefusalCode | null {
  if (deployment.suspended_at || deployment.closed_at) return 'account_suspended'
  if (deployment.revoked_at) return 'core_deployment_revoked'
  return expires_at && expires_at <= at ? 'core_token_ended' : null
}

const byState = {
  open: null,
  full: 'core_deployment_full',
  paused: 'core_deployment_paused',
  expired: 'core_deployment_expired',
  revoked: 'core_deployment_revoked',
} as const

/** Why no further device is enrolled by it; null: one is. */
export const refusesNew = (deployment: LockedDeployment, at: Date): RefusalCode | null => byState[deploymentState(deployment, at)]

import { codeWrong } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { FastifyRequest } from 'fastify'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import { isRecoveryCode, readRecoveryCode, spendRecoveryCode, spendStep, stepOf } from '../../factors/index.ts'
import { knownDevice } from '../sessions/cookies.ts'
import { giveTryBack, takeTry, type Limit } from './tries.ts'
import { networkOf } from '../../kernel/network-of.ts'

/** A call with its request: what the address, the host and the cookies are read from. */
export type Visit = { app: App; request: FastifyRequest; actor: Actor }

/** Uses up what somebody proved themselves with, within the transaction that rests on it. Throws when another was faster. */
export type Spend = (tx: Tx) => Promise<void>
type CheckedCode = { spend: Spend; recovery: boolean }

/**
 * Checks a code of somebody's authenticator app, or a recovery code. It is used up only by the answer, so that a repeated request can
 * still be told from a replayed code. Throws code_wrong, or too_many_requests after too many wrong ones.
 */
export async function checkCode(visit: Visit, person: { id: string; email: string }, code: string): Promise<CheckedCode> {
  const { app, actor } = visit
  const limits = codeLimits(person.id, networkOf(actor.ip), await knownDevice(visit, person.email))
  for (const limit of limits) await takeTry(app.db, actor.at, limit)
  const checked = await findCode(visit, person.id, code)
  if (!checked) throw wrong()
  for (const limit of limits) await giveTryBack(app.db, limit)
  return checked
}

async function findCode({ app, actor: { at } }: Visit, person_id: string, code: string): Promise<CheckedCode | null> {
  const digits = code.replaceAll(/\s/g, '')
  if (/^\d{6}$/.test(digits)) {
    const step = await stepOf(app.db, { person_id, code: digits, at })
    return step === null ? null : { recovery: false, spend: refuseUnless((tx) => spendStep(tx, person_id, step)) }
  }
  const letters = readRecoveryCode(code)
  if (letters === null || !(await isRecoveryCode(app.db, person_id, letters))) return null
  return { recovery: true, spend: refuseUnless((tx) => spendRecoveryCode(tx, person_id, letters, at)) }
}

const refuseUnless =
  (use: (tx: Tx) => Promise<boolean>): Spend =>
  async (tx) => {
    if (!(await use(tx))) throw wrong()
  }

export const wrong = (words: string = codeWrong.title) => new Problem(codeWrong, words, { fields: { code: words } })

/** Only somebody who has the password gets here. A browser that signed in before counts by itself, as with passwords. */
function codeLimits(person_id: string, network: string, device: string | null): Limit[] {
  if (device) return [{ key: `code of ${person_id} on device ${device}`, limit: 10, seconds: 300 }]
  return [
    { key: `code of ${person_id} from ${network}`, limit: 5, seconds: 300 },
    { key: `code of ${person_id}`, limit: 30, seconds: 3600 },
  ]
}

import { codeWrong } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Tx } from '../kernel/app.ts'
import { isRecoveryCode, readRecoveryCode, spendRecoveryCode, spendStep, stepOf } from '../factors/index.ts'
import { knownDevice } from './cookies.ts'
import type { Visit } from './require-fresh-proof.ts'
import { giveTryBack, networkOf, takeTry, type Limit } from './tries.ts'

/** Uses up what somebody proved themselves with, within the transaction that rests on it. Throws when another was faster. */
export type Spend = (tx: Tx) => Promise<void>

/**
 * Checks a code of somebody's authenticator app, or a recovery code. It is used up only by the answer, so that a repeated request can
 * still be told from a replayed code. Throws code_wrong, or too_many_requests after too many wrong ones.
 */
export async function checkCode(visit: Visit, person: { id: string; email: string }, code: string): Promise<Spend> {
  const { app, actor } = visit
  const limits = codeLimits(person.id, networkOf(actor.ip), await knownDevice(visit, person.email))
  for (const limit of limits) await takeTry(app.db, actor.at, limit)
  const spend = await findSpend(visit, person.id, code)
  if (!spend) throw wrong()
  for (const limit of limits) await giveTryBack(app.db, limit)
  return spend
}

async function findSpend({ app, actor: { at } }: Visit, person_id: string, code: string): Promise<Spend | null> {
  const digits = code.replaceAll(/\s/g, '')
  if (/^\d{6}$/.test(digits)) {
    const step = await stepOf(app.db, { person_id, code: digits, at })
    return step === null ? null : refuseUnless((tx) => spendStep(tx, person_id, step))
  }
  const letters = readRecoveryCode(code)
  if (letters === null || !(await isRecoveryCode(app.db, person_id, letters))) return null
  return refuseUnless((tx) => spendRecoveryCode(tx, person_id, letters, at))
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

import { couponUnknown } from '@masthead/contract/billing/coupons/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { giveTryBack, takeTry } from '../../auth/index.ts'
import type { Actor } from '../../kernel/app.ts'
import type { Answer, Route } from '../../kernel/http/routes.ts'
import { networkOf } from '../../kernel/network-of.ts'

const seconds = 15 * 60

/** So many wrong codes, each of an account and of an address. */
const limitsOf = ({ account_id, ip }: Actor) => [
  { key: `coupon codes of ${account_id}`, limit: 10, seconds },
  { key: `coupon codes from ${networkOf(ip)}`, limit: 50, seconds },
]

/** A code is worth money, so guessing is slowed. Counted outside the change, which a wrong code undoes; a right one does not count. */
export const limitWrongCodes = ({ op, answer }: Route): Route => {
  const limited = async (outside: Parameters<Answer>[0], call: { actor: Actor }) => {
    const { actor } = call
    const taken = []
    try {
      for (const limit of limitsOf(actor)) {
        await takeTry(outside.app.db, actor.at, limit)
        taken.push(limit)
      }
      return await answer(outside, call as never)
    } catch (error) {
      if (error instanceof Problem && error.kind.code === couponUnknown.code) taken.length = 0
      throw error
    } finally {
      for (const limit of taken) await giveTryBack(outside.app.db, limit)
    }
  }
  return { op, answer: limited as Answer }
}

import { sql } from 'kysely'
import { bonusOf } from '@masthead/contract/billing/coupons/coupon'
import { couponBonusGiven } from '@masthead/contract/billing/coupons/events'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { systemActor, type Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { post } from '../ledger/index.ts'
import { giveCoupon } from './give-coupon.ts'

type Payment = { account_id: string; payment_id: string; paid_micros: number; at: Date }

/** Each bonus that waits is added to credits that were bought just now. The balance is locked. */
export async function giveBonuses(tx: Tx, { account_id, payment_id, paid_micros, at }: Payment): Promise<void> {
  const waiting = await tx
    .selectFrom('coupon_use as u')
    .innerJoin('coupon as c', 'c.id', 'u.coupon_id')
    .selectAll('c')
    .select('u.used_by')
    .where('u.account_id', '=', account_id)
    .where('u.transaction_id', 'is', null)
    .orderBy('c.id')
    .execute()
  for (const { used_by, ...coupon } of waiting) {
    const bonus = bonusOf(coupon, paid_micros)
    if (bonus === 0) continue
    await giveCoupon(tx, { account_id, coupon, amount_micros: bonus, actor: used_by, at, payment_id })
    const amount = formatMoney(micros(bonus), coupon.currency as Currency)
    await record(tx, systemActor(account_id, at), couponBonusGiven, { coupon_id: coupon.id, code: coupon.code, amount })
  }
}

type Bonus = {
  id: string
  description: string
  given: number
  /** What of it was taken back, has expired, or both; and what was taken back with its payment. */
  gone: number
  taken: number
  expires_at: Date | null
}

/** What was added to the credits of a payment. */
async function findBonuses(tx: Tx, { account_id, payment_id }: Pick<Payment, 'account_id' | 'payment_id'>): Promise<Bonus[]> {
  const { rows } =
    await sql<Bonus>`select t.id, t.description, t.amount_micros as given, g.expires_at, coalesce(sum(-c.amount_micros), 0)::bigint as gone,
      coalesce(sum(-c.amount_micros) filter (where c.type = 'adjustment'), 0)::bigint as taken
    from coupon_use u join ledger_transaction t on t.account_id = u.account_id and t.id = u.transaction_id
      join ledger_grant g on g.account_id = t.account_id and g.transaction_id = t.id
      left join ledger_transaction c on c.account_id = t.account_id and c.corrects = t.id
    where u.account_id = ${account_id} and t.payment_id = ${payment_id} group by t.id, t.description, t.amount_micros, g.expires_at
    order by t.id`.execute(tx)
  return rows
}

type Spendable = Omit<Payment, 'at'> & { returned_micros: number; spendable_micros: number }

/**
 * How much of a payment can be paid back out of what can be spent: its bonuses go with it, in proportion, so that they are not kept by who spent them and has the rest paid
 * back. `returned_micros`: what of it was paid back before.
 */
export async function returnableWithBonuses(tx: Tx, { spendable_micros, paid_micros, returned_micros, ...of }: Spendable): Promise<number> {
  const bonuses = await findBonuses(tx, of)
  const sum = (which: 'given' | 'gone') => bonuses.reduce((all, bonus) => all + BigInt(bonus[which]), 0n)
  const [paid, given] = [BigInt(paid_micros), sum('given')]
  const most = ((BigInt(spendable_micros) + sum('gone')) * paid - given * BigInt(returned_micros)) / (paid + given)
  return Math.min(spendable_micros, Number(most))
}

type Brought = Payment & { returned_micros: number; key: string }

/**
 * A payment that is taken back, or a part of it, takes the same part of its bonuses with it, so that nobody keeps what was added to credits that they did
 * not pay for; what comes back of it brings their part again. `returned_micros`: of the payment, as it is now. The balance is locked.
 */
export async function bringBonuses(tx: Tx, { account_id, payment_id, paid_micros, returned_micros, key, at }: Brought): Promise<void> {
  for (const { id, description, given, gone, taken, expires_at } of await findBonuses(tx, { account_id, payment_id })) {
    const due = Number((BigInt(given) * BigInt(returned_micros)) / BigInt(paid_micros))
    // What has expired does not come again.
    const more = due > gone ? due - gone : 0 - Math.min(taken, gone - due)
    if (more === 0) continue
    await post(tx, at, [
      {
        account_id,
        key: `coupon_${more > 0 ? 'back' : 'again'}:${id}:${key}`,
        type: 'adjustment',
        sub_type: 'coupon',
        amount_micros: micros(0 - more),
        against: 'granted',
        description: more > 0 ? `Taken back with its payment: ${description}` : `Given again with its payment: ${description}`,
        actor: 'system',
        source: 'system',
        payment_id,
        corrects: id,
        grant: { kind: 'granted', expires_at },
      },
    ])
  }
}

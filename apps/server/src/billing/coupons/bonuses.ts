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

/**
 * A payment that is taken back, or a part of it, takes the same part of its bonuses with it, so that nobody keeps what was added to credits that they did
 * not pay for. `returned_micros`: of the payment so far. May be repeated. The balance is locked.
 */
export async function takeBackBonuses(
  tx: Tx,
  { account_id, payment_id, paid_micros, returned_micros, at }: Payment & { returned_micros: number }
): Promise<void> {
  const { rows } = await sql<{ id: string; description: string; given: number; taken: number }>`
    select t.id, t.description, t.amount_micros as given, coalesce((select -sum(c.amount_micros) from ledger_transaction c
      where c.account_id = t.account_id and c.corrects = t.id), 0)::bigint as taken
    from coupon_use u join ledger_transaction t on t.account_id = u.account_id and t.id = u.transaction_id
    where u.account_id = ${account_id} and t.payment_id = ${payment_id} order by t.id`.execute(tx)
  for (const { id, description, given, taken } of rows) {
    const due = Number((BigInt(given) * BigInt(returned_micros)) / BigInt(paid_micros))
    if (due <= taken) continue
    await post(tx, at, [
      {
        account_id,
        key: `coupon_back:${id}:${returned_micros}`,
        type: 'adjustment',
        sub_type: 'coupon',
        amount_micros: micros(taken - due),
        against: 'granted',
        description: `Taken back with its payment: ${description}`,
        actor: 'system',
        source: 'system',
        payment_id,
        corrects: id,
      },
    ])
  }
}

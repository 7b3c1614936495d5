import { sql, type Selectable } from 'kysely'
import { bonusOf, couponWords, type CouponUse } from '@masthead/contract/billing/coupons/coupon'
import { couponBonusGiven, couponRedeemed } from '@masthead/contract/billing/coupons/events'
import { couponUnknown, couponUsed } from '@masthead/contract/billing/coupons/problems'
import { billingOff } from '@masthead/contract/billing/ledger-problems'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { Problem } from '@masthead/contract/kernel/problem'
import { systemActor, type Actor, type Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { record } from '../../kernel/record.ts'
import { post } from '../ledger/index.ts'
import { findUse } from './coupon-queries.ts'

type Row = Selectable<Database['coupon']>
const dayMs = 86_400_000

/**
 * Once on an account: whoever comes second waits for the balance, then for the coupon, and finds it used. What is wrong with a code is told with one
 * sentence, so that nobody learns which codes there are. Throws billing_off, coupon_unknown, coupon_used.
 */
export async function redeemCoupon(tx: Tx, actor: Actor, code: string): Promise<CouponUse> {
  const { account_id, email, at } = actor
  const account = await tx
    .selectFrom('billing_account')
    .select('currency')
    .where('account_id', '=', account_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!account) throw new Problem(billingOff)
  const coupon = await tx.selectFrom('coupon').selectAll().where('code', '=', code).forUpdate().executeTakeFirst()
  if (!coupon || coupon.currency !== account.currency) throw new Problem(couponUnknown)
  const used = await tx
    .selectFrom('coupon_use')
    .select('used_at')
    .where('account_id', '=', account_id)
    .where('coupon_id', '=', coupon.id)
    .executeTakeFirst()
  if (used) throw new Problem(couponUsed)
  const isOver = coupon.ended_at !== null || (coupon.expires_at !== null && coupon.expires_at <= at)
  if (isOver || (coupon.most_uses !== null && coupon.uses >= coupon.most_uses)) throw new Problem(couponUnknown)
  await tx
    .updateTable('coupon')
    .set({ uses: sql`uses + 1` })
    .where('id', '=', coupon.id)
    .execute()
  await tx.insertInto('coupon_use').values({ account_id, coupon_id: coupon.id, used_at: at, used_by: email }).execute()
  const gives = couponWords({ ...coupon, currency: coupon.currency as Currency })
  await record(tx, actor, couponRedeemed, { coupon_id: coupon.id, code, gives })
  if (coupon.kind === 'amount') await give(tx, account_id, coupon, coupon.amount_micros, email, at)
  return findUse(tx, account_id, coupon.id)
}

/** Each bonus that waits is added to credits that were bought just now. The balance is locked. */
export async function giveBonuses(tx: Tx, account_id: string, bought_micros: number, at: Date): Promise<void> {
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
    const bonus = bonusOf(coupon, bought_micros)
    if (bonus === 0) continue
    await give(tx, account_id, coupon, bonus, used_by, at)
    const amount = formatMoney(micros(bonus), coupon.currency as Currency)
    await record(tx, systemActor(account_id, at), couponBonusGiven, { coupon_id: coupon.id, code: coupon.code, amount })
  }
}

async function give(tx: Tx, account_id: string, coupon: Row, amount: number, actor: string, at: Date): Promise<void> {
  const expires_at = coupon.credit_days === null ? null : new Date(at.getTime() + coupon.credit_days * dayMs)
  const [posted] = await post(tx, at, [
    {
      account_id,
      key: `coupon:${coupon.id}`,
      type: 'credit',
      sub_type: 'coupon',
      amount_micros: micros(amount),
      against: 'granted',
      description: coupon.kind === 'amount' ? `Coupon ${coupon.code}` : `Coupon ${coupon.code}, ${coupon.percent} % more`,
      actor,
      source: 'system',
      grant: { kind: 'granted', expires_at },
    },
  ])
  await tx
    .updateTable('coupon_use')
    .set({ given_micros: amount, given_at: at, transaction_id: posted!.id })
    .where('account_id', '=', account_id)
    .where('coupon_id', '=', coupon.id)
    .execute()
}

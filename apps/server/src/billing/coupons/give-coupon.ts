import type { Selectable } from 'kysely'
import { micros } from '@masthead/contract/billing/money'
import type { Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { post } from '../ledger/index.ts'

const dayMs = 86_400_000

type Given = {
  account_id: string
  coupon: Selectable<Database['coupon']>
  amount_micros: number
  actor: string
  at: Date
  /** The payment that a bonus came with. */
  payment_id: string | null
}

/** Posts what a coupon gives and writes it down at its use. The balance is locked. */
export async function giveCoupon(tx: Tx, { account_id, coupon, amount_micros, actor, at, payment_id }: Given): Promise<void> {
  const expires_at = coupon.credit_days === null ? null : new Date(at.getTime() + coupon.credit_days * dayMs)
  const [posted] = await post(tx, at, [
    {
      account_id,
      key: `coupon:${coupon.id}`,
      type: 'credit',
      sub_type: 'coupon',
      amount_micros: micros(amount_micros),
      against: 'granted',
      description: coupon.kind === 'amount' ? `Coupon ${coupon.code}` : `Coupon ${coupon.code}, ${coupon.percent} % more`,
      actor,
      source: 'system',
      payment_id,
      grant: { kind: 'granted', expires_at },
    },
  ])
  await tx
    .updateTable('coupon_use')
    .set({ given_micros: amount_micros, given_at: at, transaction_id: posted!.id })
    .where('account_id', '=', account_id)
    .where('coupon_id', '=', coupon.id)
    .execute()
}

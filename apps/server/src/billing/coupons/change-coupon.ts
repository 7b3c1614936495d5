import { couponCreated, couponWithdrawn } from '@masthead/contract/backoffice/staff-actions'
import { couponWords, type Coupon } from '@masthead/contract/billing/coupons/coupon'
import type { createCoupon as createOp } from '@masthead/contract/backoffice/coupon-operations'
import { couponCodeTaken, couponEnded } from '@masthead/contract/billing/coupons/problems'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { recordStaff } from '../../backoffice/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { getCoupon } from './coupon-queries.ts'

const couponId = idKind('cpn')

/** Throws coupon_code_taken. */
export async function createCoupon(tx: Tx, actor: Actor, body: Parsed<typeof createOp>['body']): Promise<Coupon> {
  const id = newId(couponId, actor.at.getTime())
  const expires_at = body.expires_at === null ? null : new Date(body.expires_at)
  const made = await tx
    .insertInto('coupon')
    .values({ ...body, id, expires_at, created_at: actor.at, created_by: actor.email, creator_account_id: actor.account_id })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw new Problem(couponCodeTaken, undefined, { fields: { code: couponCodeTaken.title } })
  await recordStaff(tx, actor, couponCreated, { code: body.code, gives: couponWords(body) }, { target: body.code, after: { ...body } })
  return getCoupon(tx, actor.at, id)
}

/** Throws not_found, coupon_ended. */
export async function endCoupon(tx: Tx, actor: Actor, id: string): Promise<Coupon> {
  const row = await tx.selectFrom('coupon').select(['code', 'ended_at']).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new Problem(notFound)
  if (row.ended_at) throw new Problem(couponEnded)
  await tx.updateTable('coupon').set({ ended_at: actor.at }).where('id', '=', id).execute()
  await recordStaff(tx, actor, couponWithdrawn, { code: row.code }, { target: row.code })
  return getCoupon(tx, actor.at, id)
}

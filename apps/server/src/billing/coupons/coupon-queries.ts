import { sql, type Selectable } from 'kysely'
import type { Coupon, CouponUse } from '@masthead/contract/billing/coupons/coupon'
import type { listCoupons as allOp, listUsesOfCoupon as usesOfOp } from '@masthead/contract/backoffice/coupon-operations'
import type { listCouponUses as usesOp } from '@masthead/contract/billing/coupons/operations'
import type { Currency } from '@masthead/contract/billing/money'
import { micros } from '@masthead/contract/billing/money'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'

function couponOf(row: Selectable<Database['coupon']>, at: Date): Coupon {
  const { expires_at, ended_at, created_at, most_uses, uses } = row
  const isExpired = expires_at !== null && expires_at <= at
  const state = ended_at ? 'ended' : isExpired ? 'expired' : most_uses !== null && uses >= most_uses ? 'used_up' : 'open'
  return {
    ...row,
    currency: row.currency as Currency,
    amount_micros: micros(row.amount_micros),
    state,
    expires_at: expires_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  }
}

/** Throws not_found. */
export async function getCoupon(db: Db, at: Date, id: string): Promise<Coupon> {
  const row = await db.selectFrom('coupon').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return couponOf(row, at)
}

export const listCoupons = (db: Db, at: Date, query: Parsed<typeof allOp>['query']): Promise<Reply<typeof allOp>> =>
  pageByKey(db, query, {
    name: 'coupons',
    all: db.selectFrom('coupon'),
    keys: [{ of: sql.ref('coupon.id'), is: 'text' }],
    order: 'desc',
    rows: (page) => page.selectAll('coupon'),
    items: (rows) => rows.map((row) => couponOf(row, at)),
  })

const uses = (db: Db) => db.selectFrom('coupon_use as u').innerJoin('coupon as c', 'c.id', 'u.coupon_id')
const columns = [
  'u.coupon_id',
  'c.code',
  'c.kind',
  'c.currency',
  'c.amount_micros',
  'c.percent',
  'c.credit_days',
  'u.used_at',
  'u.used_by',
  'u.given_micros',
  'u.given_at',
  'u.transaction_id',
] as const
const inFull = (rows: ReturnType<typeof uses>) => rows.select(columns)
type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]

const useOf = ({ used_at, given_at, given_micros, ...row }: Row): CouponUse => ({
  ...row,
  currency: row.currency as Currency,
  used_at: used_at.toISOString(),
  given_at: given_at?.toISOString() ?? null,
  given_micros: given_micros === null ? null : micros(given_micros),
})

const newest = [
  { of: sql.ref('u.used_at'), is: 'time' as const },
  { of: sql.ref('u.coupon_id'), is: 'text' as const },
]

export const listCouponUses = (
  db: Db,
  { account_id }: Pick<Actor, 'account_id'>,
  query: Parsed<typeof usesOp>['query']
): Promise<Reply<typeof usesOp>> =>
  pageByKey(db, query, {
    name: 'coupon uses',
    all: uses(db).where('u.account_id', '=', account_id),
    keys: newest,
    order: 'desc',
    rows: inFull,
    items: (rows) => rows.map(useOf),
  })

export async function findUse(db: Db, account_id: string, coupon_id: string): Promise<CouponUse> {
  const row = await inFull(uses(db).where('u.account_id', '=', account_id).where('u.coupon_id', '=', coupon_id)).executeTakeFirstOrThrow()
  return useOf(row)
}

/** Throws not_found. */
export async function listUsesOfCoupon(
  db: Db,
  at: Date,
  coupon_id: string,
  query: Parsed<typeof usesOfOp>['query']
): Promise<Reply<typeof usesOfOp>> {
  await getCoupon(db, at, coupon_id)
  const all = uses(db).innerJoin('account as a', 'a.id', 'u.account_id').where('u.coupon_id', '=', coupon_id)
  return pageByKey(db, query, {
    name: 'uses of a coupon',
    all,
    keys: [
      { of: sql.ref('u.used_at'), is: 'time' },
      { of: sql.ref('u.account_id'), is: 'text' },
    ],
    order: 'desc',
    rows: (page) =>
      page
        .select(columns)
        .select('a.team_name')
        .select(sql<string>`(select p.email from person p where p.account_id = a.id)`.as('account_email')),
    items: (rows) => rows.map(({ team_name, account_email, ...row }) => ({ ...useOf(row), team_name, account_email })),
  })
}

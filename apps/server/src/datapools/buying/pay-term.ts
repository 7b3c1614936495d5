import { sql } from 'kysely'
import { formatDay } from '@masthead/contract/kernel/time'
import { micros, type Micros } from '@masthead/contract/billing/money'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { listTransactions } from '@masthead/contract/billing/operations'
import { post } from '../../billing/ledger/index.ts'
import { actorMay, type Actor, type Tx } from '../../kernel/app.ts'
import type { PoolOf } from '../renew-pools.ts'

export type DueTerm = PoolOf & { name: string; price_micros: number; starts_at: Date; ends_at: Date }

/** Who pays; `names_amounts`: what they read of a refusal (posting.ts). */
type Payer = { actor: string; at: Date; names_amounts?: boolean }

/** Somebody who buys: a refusal names amounts to whoever reads billing. */
export const payerOf = (actor: Actor): Payer => ({
  actor: actor.email,
  at: actor.at,
  names_amounts: actorMay(actor, listTransactions.access),
})

/** Posts the price of a term. The ledger knows a `key` again, and takes it once. */
async function chargeTerm(
  tx: Tx,
  { account_id, pool_id, price_micros, starts_at, ends_at }: DueTerm,
  { actor, at, names_amounts = false }: Payer,
  { key, description }: { key: string; description: string }
) {
  const [paid] = await post(tx, at, [
    {
      account_id,
      key,
      type: 'charge',
      sub_type: 'data_pool',
      amount_micros: micros(0 - price_micros),
      against: 'revenue',
      description,
      actor,
      source: 'system',
      usage_from: starts_at,
      usage_to: ends_at,
      quantity: 1,
      unit: 'term',
      unit_price_micros: price_micros,
      pool_id,
      refusable: true,
      names_amounts,
    },
  ])
  return paid!
}

/** Takes the price of a term from the balance. Paid again, it changes nothing. Throws billing_off, balance_too_low. */
export async function payTerm(tx: Tx, term: DueTerm, payer: Payer): Promise<void> {
  const { account_id, pool_id, name, starts_at, ends_at } = term
  const paid = await chargeTerm(tx, term, payer, {
    key: `pool:${pool_id}:${starts_at.toISOString()}`,
    description: `Data pool ${name}, ${formatDay(starts_at)} to ${formatDay(ends_at)}`,
  })
  await tx
    .updateTable('data_pool_term')
    .set({ paid_by: paid.id })
    .where('account_id', '=', account_id)
    .where('pool_id', '=', pool_id)
    .where('starts_at', '=', starts_at)
    .execute()
}

/** Takes the price of a term of one size once more, and gives the term so much more. The pool is locked. Throws billing_off, balance_too_low. */
export async function payMore(tx: Tx, { account_id, pool_id, starts_at }: PoolOf & { starts_at: Date }, payer: Payer): Promise<void> {
  const { rows } = await sql<DueTerm & { size_bytes: number; unit_bytes: number; paid_by: string | null }>`
    select p.account_id, p.id as pool_id, p.name, p.unit_bytes, t.price_micros, t.starts_at, t.ends_at, t.size_bytes, t.paid_by
    from data_pool p join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = ${starts_at}
    where p.account_id = ${account_id} and p.id = ${pool_id}`.execute(tx)
  const term = rows[0]!
  const { unit_bytes, size_bytes, ends_at } = term
  // The term itself is paid within a minute of its beginning: not after what was added to it.
  if (term.paid_by === null) await payTerm(tx, term, payer)
  await chargeTerm(tx, term, payer, {
    // Each time the term is larger.
    key: `pool:${pool_id}:${starts_at.toISOString()}:more:${size_bytes}`,
    description: `Data pool ${term.name}, ${formatBytes(unit_bytes)} more until ${formatDay(ends_at)}`,
  })
  await sql`update data_pool_term set size_bytes = size_bytes + ${unit_bytes}
    where account_id = ${account_id} and pool_id = ${pool_id} and starts_at = ${starts_at}`.execute(tx)
}

/**
 * Takes from the balance what the SIMs of a bought pool brought in the term that runs and is not paid yet. `owed`: also below zero, as for an asset that got its
 * SIM later. Answers with what was taken. The pool is locked. Throws billing_off, balance_too_low.
 */
export async function payShares(
  tx: Tx,
  { account_id, pool_id }: PoolOf,
  { actor, at, names_amounts = false, owed = false }: Payer & { owed?: boolean }
): Promise<Micros> {
  const { rows } = await sql<Shares>`select p.name, t.starts_at, t.ends_at, t.price_micros, t.paid_micros, t.size_bytes,
      coalesce((select sum(floor(u.brought_bytes::numeric * t.price_micros / p.unit_bytes)) from data_pool_usage u
        where u.account_id = t.account_id and u.pool_id = t.pool_id and u.starts_at = t.starts_at), 0)::bigint as due_micros
    from data_pool p join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
    where p.account_id = ${account_id} and p.id = ${pool_id} and p.bought and p.kind = 'dynamic'`.execute(tx)
  const term = rows[0]
  if (!term) return micros(0)
  const { name, starts_at, ends_at, price_micros, paid_micros, due_micros, size_bytes } = term
  const more = micros(Math.max(0, due_micros - paid_micros))
  const keep = (set: { paid_by?: string; paid_micros?: number }) =>
    tx
      .updateTable('data_pool_term')
      .set({ ...set, paid_size_bytes: size_bytes })
      .where('account_id', '=', account_id)
      .where('pool_id', '=', pool_id)
      .where('starts_at', '=', starts_at)
      .execute()
  if (more === 0) {
    await keep({})
    return more
  }
  const [paid] = await post(tx, at, [
    {
      account_id,
      key: `pool:${pool_id}:${starts_at.toISOString()}:${paid_micros}`,
      type: 'charge',
      sub_type: 'data_pool',
      amount_micros: micros(0 - more),
      against: 'revenue',
      description: `Data pool ${name}, what its SIMs bring, ${formatDay(starts_at)} to ${formatDay(ends_at)}`,
      actor,
      source: 'system',
      usage_from: starts_at,
      usage_to: ends_at,
      unit_price_micros: price_micros,
      pool_id,
      refusable: !owed,
      names_amounts,
    },
  ])
  await keep({ paid_by: paid!.id, paid_micros: due_micros })
  return more
}

type Shares = {
  name: string
  starts_at: Date
  ends_at: Date
  price_micros: number
  paid_micros: number
  due_micros: number
  size_bytes: number
}

import { sql } from 'kysely'
import { notCorrectable } from '@masthead/contract/billing/ledger-problems'
import { staffCan, type LedgerTransaction } from '@masthead/contract/billing/ledger'
import { formatMoney, micros, type Currency, type Micros } from '@masthead/contract/billing/money'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Tx } from '../../kernel/app.ts'
import { lockBalance } from './billing-account.ts'
import { getTransaction } from './ledger-queries.ts'
import { post } from './post.ts'

type By = { account_id: string; actor: string; reason: string; at: Date }

/** What staff give. Throws billing_off. */
export async function giveCredits(
  tx: Tx,
  { account_id, actor, reason, at, key, amount_micros, expires_at }: By & { key: string; amount_micros: Micros; expires_at: Date | null }
): Promise<LedgerTransaction> {
  const [posted] = await post(tx, at, [
    {
      account_id,
      key,
      type: 'credit',
      sub_type: 'grant',
      amount_micros,
      against: 'granted',
      description: 'Credits from Masthead',
      actor,
      source: 'staff',
      reason,
      grant: { kind: 'granted', expires_at },
    },
  ])
  return getTransaction(tx, { account_id, tags: [] }, posted!.id)
}

/** Locks the balance first, so that what is left stays left. Throws not_found. */
async function getForCorrection(tx: Tx, account_id: string, id: string) {
  await lockBalance(tx, account_id)
  return getTransaction(tx, { account_id, tags: [] }, id)
}

/** Takes back what is left of credits that staff gave. Throws not_found, not_correctable. */
export async function voidCredits(tx: Tx, id: string, { account_id, actor, reason, at }: By): Promise<LedgerTransaction> {
  const given = await getForCorrection(tx, account_id, id)
  if (staffCan(given) !== 'void') throw new Problem(notCorrectable, 'Only credits that staff gave can be taken back, and once')
  const { remaining_micros } = await tx
    .selectFrom('ledger_grant')
    .select('remaining_micros')
    .where('account_id', '=', account_id)
    .where('transaction_id', '=', id)
    .executeTakeFirstOrThrow()
  if (remaining_micros === 0) throw new Problem(notCorrectable, 'Nothing is left of these credits: they are spent')
  const [posted] = await post(tx, at, [
    {
      account_id,
      key: `void:${id}`,
      type: 'void',
      sub_type: 'grant',
      amount_micros: micros(0 - remaining_micros),
      against: 'granted',
      description: `Taken back: ${given.description}`,
      actor,
      source: 'staff',
      reason,
      corrects: id,
    },
  ])
  return getTransaction(tx, { account_id, tags: [] }, posted!.id)
}

type Refund = By & { key: string; amount_micros: Micros; currency: Currency }

/** Gives back what was charged, or a part; all parts together are never more than the charge. Throws not_found, not_correctable. */
export async function refundCharged(tx: Tx, id: string, { account_id, actor, reason, at, key, amount_micros, currency }: Refund) {
  const charged = await getForCorrection(tx, account_id, id)
  if (staffCan({ ...charged, corrected_by: null }) !== 'refund') throw new Problem(notCorrectable, 'Only what was charged can be refunded')
  const { rows } = await sql<{ refunded: number }>`select coalesce(sum(amount_micros), 0) as refunded
    from ledger_transaction where account_id = ${account_id} and corrects = ${id} and key <> ${key}`.execute(tx)
  const left = micros(0 - charged.amount_micros - rows[0]!.refunded)
  if (amount_micros > left)
    throw new Problem(notCorrectable, left > 0 ? `At most ${formatMoney(left, currency)} is left to refund` : 'It is refunded already')
  const { asset_id, sim_id, pool_id } = charged
  const [posted] = await post(tx, at, [
    {
      account_id,
      key,
      type: 'refund',
      sub_type: charged.sub_type,
      amount_micros,
      against: 'revenue',
      description: `Refund: ${charged.description}`,
      actor,
      source: 'staff',
      reason,
      asset_id,
      sim_id,
      pool_id,
      corrects: id,
    },
  ])
  return { refund: await getTransaction(tx, { account_id, tags: [] }, posted!.id), charged }
}

import { billingOff, topUpOpen, topUpOver } from '@masthead/contract/billing/ledger-problems'
import { formatMoney, micros, type Currency, type Micros } from '@masthead/contract/billing/money'
import { taxOn, taxWords } from '@masthead/contract/billing/invoices/tax'
import type { TopUp } from '@masthead/contract/billing/top-up'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { findCard } from '../cards/index.ts'
import { lockBalance } from '../ledger/index.ts'
import { getTopUpForUpdate, isUnknown, openStates, topUpOf } from './top-up-queries.ts'

const topUpId = idKind('pay')

type Wanted = {
  account_id: string
  amount_micros: Micros
  card_id: string | null
  source: TopUp['source']
  by: string
  at: Date
  back?: string | null
}

/**
 * Begins to buy credits: a job asks the provider. One at a time on an account. With `back`, an address of the console, the bank asks on a page of its own, which leads
 * there. Throws not_found, billing_off, top_up_open.
 */
export async function createTopUp(
  tx: Tx,
  { account_id, email, at }: Actor,
  { amount_micros, card_id }: { amount_micros: number; card_id: string },
  back: string | null
): Promise<TopUp> {
  return beginTopUp(tx, { account_id, amount_micros: micros(amount_micros), card_id, source: 'card', by: email, at, back })
}

/** With `card_id` null by the default card. */
export async function beginTopUp(tx: Tx, { account_id, amount_micros, card_id, source, by, at, back = null }: Wanted): Promise<TopUp> {
  const account = await lockBalance(tx, account_id)
  if (!account) throw new Problem(billingOff)
  const card = await findCard(tx, account_id, card_id)
  if (!card) throw new Problem(notFound, 'This card is not kept any more')
  const open = await tx
    .selectFrom('top_up as o')
    .select(['amount_micros', 'begun_by', isUnknown.as('is_unknown')])
    .where('account_id', '=', account_id)
    .where((eb) => eb.or([eb('state', 'in', [...openStates]), isUnknown]))
    .executeTakeFirst()
  if (open) {
    const amount = formatMoney(micros(open.amount_micros), account.currency as Currency)
    const words = open.is_unknown
      ? `We do not know yet whether the card was charged for the payment of ${amount} that ${open.begun_by} began. We check each minute: wait ten minutes before you try again`
      : `A payment of ${amount} that ${open.begun_by} began is under way. Wait until it is done`
    throw new Problem(topUpOpen, words)
  }
  const tax = account.tax_name === null ? null : { name: account.tax_name, basis_points: account.tax_basis_points }
  const id = newId(topUpId, at.getTime())
  const row = await tx
    .insertInto('top_up')
    .values({
      account_id,
      id,
      state: 'preparing',
      amount_micros,
      tax_micros: taxOn(amount_micros, tax),
      tax_words: tax && taxWords(tax),
      currency: account.currency,
      source,
      method_id: card.provider_id,
      card_name: card.name,
      begun_by: by,
      begun_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addJob(tx, 'billing.start_top_up', { account_id, id, back }, { maxAttempts: 5 })
  return topUpOf(row)
}

/** The browser says that the bank was answered: a job asks the provider. Throws not_found, top_up_over. */
export async function finishTopUp(tx: Tx, actor: Actor, id: string): Promise<TopUp> {
  const row = await getTopUpForUpdate(tx, actor, id)
  if (row.state === 'succeeded' || row.state === 'processing') return topUpOf(row)
  if (row.state !== 'requires_action') throw new Problem(topUpOver)
  await tx.updateTable('top_up').set({ state: 'processing' }).where('account_id', '=', row.account_id).where('id', '=', id).execute()
  await addJob(tx, 'billing.settle_payment', { provider_id: row.provider_id }, { maxAttempts: 5 })
  return topUpOf({ ...row, state: 'processing' })
}

/** Gives up what the bank still asks about: a job notifies the provider, and asks what came of it. Throws not_found, top_up_over. */
export async function cancelTopUp(tx: Tx, actor: Actor, id: string): Promise<TopUp> {
  const row = await getTopUpForUpdate(tx, actor, id)
  if (row.state === 'canceled') return topUpOf(row)
  if (row.state !== 'requires_action') throw new Problem(topUpOver)
  await tx.updateTable('top_up').set({ state: 'processing' }).where('account_id', '=', row.account_id).where('id', '=', id).execute()
  await addJob(tx, 'billing.cancel_payment', { provider_id: row.provider_id }, { maxAttempts: 5 })
  return topUpOf({ ...row, state: 'processing' })
}

import { cardMadeDefault, cardRemoved } from '@masthead/contract/billing/events'
import type { Card } from '@masthead/contract/billing/card'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { cardOf, getCardForUpdate, wordsOfCard } from './card-queries.ts'
import { isMissing, providerOf } from './provider.ts'

/** Throws not_found. */
export async function makeCardDefault(tx: Tx, actor: Actor, id: string): Promise<Card> {
  const { account_id, at } = actor
  const row = await getCardForUpdate(tx, account_id, id)
  if (row.is_default) return cardOf(row, at)
  await setDefault(tx, account_id, id)
  await record(tx, actor, cardMadeDefault, { payment_method: wordsOfCard(row) })
  return cardOf({ ...row, is_default: true }, at)
}

/** The one before is first: at no moment there are two. */
export async function setDefault(tx: Tx, account_id: string, id: string): Promise<void> {
  await tx.updateTable('card').set({ is_default: false }).where('account_id', '=', account_id).where('is_default', '=', true).execute()
  await tx.updateTable('card').set({ is_default: true }).where('account_id', '=', account_id).where('id', '=', id).execute()
}

/** The newest of those that are left becomes the default in its place. The provider is notified afterwards. Throws not_found. */
export async function removeCard(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { account_id } = actor
  const row = await getCardForUpdate(tx, account_id, id)
  await tx.deleteFrom('card').where('account_id', '=', account_id).where('id', '=', id).execute()
  if (row.is_default) {
    const next = await tx
      .selectFrom('card')
      .select('id')
      .where('account_id', '=', account_id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (next) await setDefault(tx, account_id, next.id)
  }
  await addJob(tx, 'detach_card', { provider_id: row.provider_id })
  await record(tx, actor, cardRemoved, { payment_method: wordsOfCard(row) })
}

/** Of an account that is erased. */
export async function forgetCards(tx: Tx, account_id: string): Promise<void> {
  const cards = await tx.deleteFrom('card').where('account_id', '=', account_id).returning('provider_id').execute()
  for (const { provider_id } of cards) await addJob(tx, 'detach_card', { provider_id })
  await tx.deleteFrom('card_setup').where('account_id', '=', account_id).execute()
  await tx.deleteFrom('card_customer').where('account_id', '=', account_id).execute()
}

/** Has the provider forget a card. May be repeated. */
export async function detachCard(app: App, { provider_id }: { provider_id: string }): Promise<void> {
  try {
    await providerOf(app)?.paymentMethods.detach(provider_id)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

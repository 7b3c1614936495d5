import { sql } from 'kysely'
import { documentNumber } from '@masthead/contract/billing/invoices/document'
import type { App, Tx } from '../../kernel/app.ts'
import { issue } from './issue.ts'

/** What of transaction `t` is tax, as the ledger has it. */
const taxOf = sql<number>`(select coalesce(sum(e.amount_micros), 0) from ledger_entry e
  where e.account_id = t.account_id and e.transaction_id = t.id and e.ledger_account = 'tax')`.as('tax')

/** The receipt of a payment that was credited. May be repeated. */
export const issueReceipt = ({ db, clock, config }: App, of: { account_id: string; id: string }): Promise<void> =>
  db.transaction().execute((tx) => writeReceipt(tx, of, clock.now(), config.integrations.seller))

/** The same within a transaction. */
export async function writeReceipt(
  tx: Tx,
  { account_id, id }: { account_id: string; id: string },
  at: Date,
  seller: string
): Promise<void> {
  const paid = await tx
    .selectFrom('top_up as p')
    .innerJoin('ledger_transaction as t', (on) => on.onRef('t.account_id', '=', 'p.account_id').onRef('t.id', '=', 'p.transaction_id'))
    .select(['t.amount_micros', 'p.currency', 'p.card_name', 'p.source', 'p.tax_words', taxOf])
    .where('p.account_id', '=', account_id)
    .where('p.id', '=', id)
    .executeTakeFirst()
  if (!paid) return
  const words = paid.source === 'auto_refill' ? 'Credits, bought by auto-refill' : 'Credits'
  await issue(tx, at, {
    account_id,
    kind: 'receipt',
    source: id,
    currency: paid.currency,
    title: `Credits, paid with ${paid.card_name}`,
    net_micros: paid.amount_micros,
    tax_micros: paid.tax,
    tax_words: paid.tax_words,
    top_up_id: id,
    seller,
    lines: [{ words, quantity: null, micros: paid.amount_micros }],
  })
}

/** The credit note of what was paid back to a card. May be repeated. */
export async function issueCreditNote(
  { db, clock, config }: App,
  { account_id, transaction_id }: { account_id: string; transaction_id: string }
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const back = await tx
      .selectFrom('ledger_transaction as t')
      .innerJoin('top_up as p', (on) => on.onRef('p.account_id', '=', 't.account_id').onRef('p.id', '=', 't.payment_id'))
      .select(['t.amount_micros', 'p.id', 'p.currency', 'p.card_name', 'p.tax_words', taxOf])
      .where('t.account_id', '=', account_id)
      .where('t.id', '=', transaction_id)
      .executeTakeFirst()
    if (!back) return
    const receipt = await tx
      .selectFrom('billing_document')
      .select(['year', 'n'])
      .where('account_id', '=', account_id)
      .where('kind', '=', 'receipt')
      .where('source', '=', back.id)
      .executeTakeFirst()
    await issue(tx, clock.now(), {
      account_id,
      kind: 'credit_note',
      source: transaction_id,
      currency: back.currency,
      title: receipt
        ? `For ${documentNumber('receipt', receipt.year, receipt.n)}, paid back to ${back.card_name}`
        : `Paid back to ${back.card_name}`,
      net_micros: back.amount_micros,
      tax_micros: back.tax,
      tax_words: back.tax_words,
      top_up_id: back.id,
      seller: config.integrations.seller,
      lines: [{ words: 'Credits that were paid back', quantity: null, micros: back.amount_micros }],
    })
  })
}

import { sql } from 'kysely'
import { documentNumber, type DocumentKind } from '@masthead/contract/billing/invoices/document'
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

type OfEntry = { account_id: string; transaction_id: string }

/** The credit note of what was paid back to a card. May be repeated. */
export const issueCreditNote = ({ db, clock, config }: App, { account_id, transaction_id }: OfEntry): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const back = await findEntry(tx, { account_id, transaction_id })
    if (!back) return
    const receipt = await numberOf(tx, { account_id, kind: 'receipt', source: back.id })
    const to = `aid back to ${back.card_name}`
    await issueFor(tx, clock.now(), back, {
      kind: 'credit_note',
      title: receipt ? `For ${receipt}, p${to}` : `P${to}`,
      words: 'Credits that were paid back',
      seller: config.integrations.seller,
    })
  })

/** The receipt of what was to be paid back and did not arrive: its credit note said that it was. May be repeated. */
export const issueReceiptAgain = ({ db, clock, config }: App, { account_id, transaction_id }: OfEntry): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const again = await findEntry(tx, { account_id, transaction_id })
    if (!again) return
    const note = again.corrects === null ? null : await numberOf(tx, { account_id, kind: 'credit_note', source: again.corrects })
    await issueFor(tx, clock.now(), again, {
      kind: 'receipt',
      title: `${note ? `For ${note}, not` : 'Not'} paid back to ${again.card_name}`,
      words: 'Credits that were not paid back: the bank did not take it',
      seller: config.integrations.seller,
    })
  })

const findEntry = (tx: Tx, { account_id, transaction_id }: OfEntry) =>
  tx
    .selectFrom('ledger_transaction as t')
    .innerJoin('top_up as p', (on) => on.onRef('p.account_id', '=', 't.account_id').onRef('p.id', '=', 't.payment_id'))
    .select(['t.account_id', 't.id as transaction_id', 't.amount_micros', 't.corrects'])
    .select(['p.id', 'p.currency', 'p.card_name', 'p.tax_words', taxOf])
    .where('t.account_id', '=', account_id)
    .where('t.id', '=', transaction_id)
    .executeTakeFirst()
type Entry = NonNullable<Awaited<ReturnType<typeof findEntry>>>

async function numberOf(tx: Tx, { account_id, kind, source }: { account_id: string; kind: DocumentKind; source: string }) {
  const found = await tx
    .selectFrom('billing_document')
    .select(['year', 'n'])
    .where('account_id', '=', account_id)
    .where('kind', '=', kind)
    .where('source', '=', source)
    .executeTakeFirst()
  return found ? documentNumber(kind, found.year, found.n) : null
}

const issueFor = (
  tx: Tx,
  at: Date,
  entry: Entry,
  { words, ...given }: { kind: DocumentKind; title: string; words: string; seller: string }
) =>
  issue(tx, at, {
    ...given,
    account_id: entry.account_id,
    source: entry.transaction_id,
    currency: entry.currency,
    net_micros: entry.amount_micros,
    tax_micros: entry.tax,
    tax_words: entry.tax_words,
    top_up_id: entry.id,
    lines: [{ words, quantity: null, micros: entry.amount_micros }],
  })

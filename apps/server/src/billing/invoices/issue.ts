import { sql } from 'kysely'
import { documentKinds, documentNumber, type DocumentKind } from '@masthead/contract/billing/invoices/document'
import { documentIssued } from '@masthead/contract/billing/invoices/events'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { systemActor, type Tx } from '../../kernel/app.ts'
import { consolePlace, queueMail } from '../../kernel/mail/mail.ts'
import { record } from '../../kernel/record.ts'
import { lockBalance } from '../ledger/index.ts'
import { findProfile } from './profile.ts'
import type { DocumentLine, Recipient } from './tables.ts'

const documentId = idKind('doc')

type ToIssue = {
  account_id: string
  kind: DocumentKind
  /** What it is of: a second document of the same is not issued. */
  source: string
  currency: string
  title: string
  month?: string | null
  net_micros: number
  tax_micros: number
  tax_words?: string | null
  top_up_id?: string | null
  seller: string
  lines: DocumentLine[]
}

/** Issues a document with the next number, mails that it is there, and answers with its id. Once for each source: again it changes nothing. */
export async function issue(tx: Tx, at: Date, { lines, month = null, top_up_id = null, ...given }: ToIssue): Promise<string> {
  const { account_id, kind, source } = given
  // One at a time on an account: whoever comes second finds what the first has issued.
  await lockBalance(tx, account_id)
  const before = await tx
    .selectFrom('billing_document')
    .select('id')
    .where('account_id', '=', account_id)
    .where('kind', '=', kind)
    .where('source', '=', source)
    .executeTakeFirst()
  if (before) return before.id
  const id = newId(documentId, at.getTime())
  const { emails, recipient } = await recipientOf(tx, account_id)
  const year = at.getUTCFullYear()
  const { rows } = await sql<{ last: number }>`insert into billing_number as b (kind, year, last) values (${kind}, ${year}, 1)
    on conflict (kind, year) do update set last = b.last + 1 returning last`.execute(tx)
  const n = rows[0]!.last
  await tx
    .insertInto('billing_document')
    .values({ ...given, id, year, n, month, top_up_id, issued_at: at, recipient: JSON.stringify(recipient), lines: JSON.stringify(lines) })
    .execute()
  const number = documentNumber(kind, year, n)
  const total = formatMoney(micros(given.net_micros + given.tax_micros), given.currency as Currency)
  await record(tx, systemActor(account_id, at), documentIssued, { document_id: id, number, title: given.title, total })
  // Whoever keeps the books reads first what it is.
  const subject = `${documentKinds[kind]} ${number}: ${given.title}`
  const text = [`${subject}, ${total}.`, `It is ready as PDF: ${consolePlace}/billing`].join('\n\n')
  for (const to of emails) await queueMail(tx, { to, subject, text }, at)
  return id
}

/** By the profile; without one in the name of the account. */
async function recipientOf(tx: Tx, account_id: string): Promise<{ emails: string[]; recipient: Recipient }> {
  const profile = await findProfile(tx, account_id)
  if (profile) {
    const { emails, ...recipient } = profile
    return { emails, recipient }
  }
  const { team_name } = await tx.selectFrom('account').select('team_name').where('id', '=', account_id).executeTakeFirstOrThrow()
  return { emails: [], recipient: { company: team_name, address: null } }
}

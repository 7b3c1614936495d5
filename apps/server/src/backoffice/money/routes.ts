import { sql } from 'kysely'
import * as ops from '@masthead/contract/backoffice/money-operations'
import type { LedgerCheck, LedgerProof } from '@masthead/contract/backoffice/money-operations'
import {
  askForProof,
  findBillingAccount,
  findProofCheck,
  getBalance,
  lastProof,
  listTransactions,
  type Proof,
  type ProofCheck,
} from '../../billing/ledger/index.ts'
import { getTransactionUsage } from '../../billing/costs/index.ts'
import { getDocument, listDocuments, sendDocument } from '../../billing/invoices/index.ts'
import { listAllPayments } from '../../billing/payments/index.ts'
import type { Db } from '../../kernel/app.ts'
import { file, reach, write, type Route } from '../../kernel/http/routes.ts'
import { getAccountOf } from '../accounts/accounts.ts'
import { recordView } from '../staff/staff-log.ts'
import { giveCredit, refundCharge, switchBillingOn, voidCredit } from './change-money.ts'
import { payBack, setAtZero, setTax } from './pay-back.ts'

const asProof = ({ started_at, ended_at, differences, ...counted }: Proof): LedgerProof => ({
  ...counted,
  started_at: started_at.toISOString(),
  ended_at: ended_at.toISOString(),
  differences: differences.slice(0, 100).map(({ account_id, words }) => ({ account_id, words })),
})
const asCheck = ({ state, since }: ProofCheck): LedgerCheck => ({ state, since: since.toISOString() })

async function sumsOf(db: Db, account_id: string): Promise<{ paid_in_micros: number; given_micros: number }> {
  const { rows } = await sql<{ paid_in_micros: number; given_micros: number }>`select
      coalesce(sum(-amount_micros) filter (where ledger_account = 'cash'), 0) as paid_in_micros,
      coalesce(sum(-amount_micros) filter (where ledger_account = 'granted'), 0) as given_micros
    from ledger_entry where account_id = ${account_id} and ledger_account in ('cash', 'granted')`.execute(db)
  return rows[0]!
}

export const moneyRoutes: Route[] = [
  reach(ops.getMoney, async ({ app: { db }, actor, params }) => {
    const account = await getAccountOf(db, params.email)
    await recordView(db, actor, account)
    const proof = await lastProof(db)
    const check = await findProofCheck(db)
    return {
      balance: await getBalance(db, account.id, actor.at),
      ...(await sumsOf(db, account.id)),
      enabled_by: (await findBillingAccount(db, account.id))?.enabled_by ?? null,
      proof: proof && asProof(proof),
      check: check && asCheck(check),
    }
  }),
  reach(ops.listCustomerTransactions, async ({ app: { db }, actor, params, query }) => {
    const account = await getAccountOf(db, params.email)
    await recordView(db, actor, account)
    return listTransactions(db, { account_id: account.id, tags: [] }, query)
  }),
  reach(ops.getCustomerTransactionUsage, async ({ app: { db }, actor, params }) => {
    const account = await getAccountOf(db, params.email)
    const usage = await getTransactionUsage(db, { account_id: account.id, tags: [] }, params.any_transaction_id)
    await recordView(db, actor, account)
    return usage
  }),
  reach(ops.listPayments, async ({ app: { db }, actor, query: { email, ...query } }) => {
    if (!email) return listAllPayments(db, null, query)
    const account = await getAccountOf(db, email)
    await recordView(db, actor, account)
    return listAllPayments(db, account.id, query)
  }),
  reach(ops.listCustomerDocuments, async ({ app: { db }, actor, params, query }) => {
    const account = await getAccountOf(db, params.email)
    await recordView(db, actor, account)
    return listDocuments(db, account.id, query)
  }),
  file(ops.exportCustomerDocument, async ({ app: { db }, actor, params, reply }) => {
    const account = await getAccountOf(db, params.email)
    const document = await getDocument(db, { account_id: account.id }, params.any_document_id)
    await recordView(db, actor, account)
    return sendDocument(reply, document)
  }),
  write(ops.checkLedger, async ({ db }) => asCheck(await askForProof(db))),
  write(ops.switchBillingOn, ({ db, actor, params, body }) => switchBillingOn(db, actor, params.email, body)),
  write(ops.giveCredit, ({ db, actor, params, body }) => giveCredit(db, actor, params.email, body)),
  write(ops.voidCredit, ({ db, actor, params, body }) => voidCredit(db, actor, params.email, params.any_transaction_id, body.reason)),
  write(ops.refundCharge, ({ db, actor, params, body }) => refundCharge(db, actor, params.email, params.any_transaction_id, body)),
  write(ops.setAtZero, ({ db, actor, params, body }) => setAtZero(db, actor, params.email, body)),
  write(ops.setTax, ({ db, actor, params, body }) => setTax(db, actor, params.email, body)),
  write(ops.payBack, ({ db, actor, params, body }) => payBack(db, actor, params.email, params.any_transaction_id, body)),
]

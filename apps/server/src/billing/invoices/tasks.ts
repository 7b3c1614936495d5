import { type Task, task } from '../../kernel/jobs/jobs.ts'
import { closeMonths } from './close-months.ts'
import { issueCreditNote, issueReceipt, issueReceiptAgain } from './receipts.ts'

export const invoiceTasks: readonly Task[] = [
  task('billing.issue_receipt', issueReceipt),
  task('billing.issue_credit_note', issueCreditNote),
  task('billing.issue_receipt_again', issueReceiptAgain),
  task('billing.close_months', closeMonths, '17 * * * *'),
]

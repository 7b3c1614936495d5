import type { BillingDocument } from '@masthead/contract/billing/invoices/document'
import type { Input, Operation } from '@masthead/contract/kernel/operation'
import { urlOf } from '../../api/client.ts'
import { download } from '../../kit/download.ts'

/** Fetches a document as PDF and hands it to the browser to keep. */
export const saveDocument = <Op extends Operation>(
  operation: Op,
  input: Input<Op>,
  { number }: Pick<BillingDocument, 'number'>
): Promise<void> => download(urlOf(operation, input), `${number}.pdf`)

import type { BillingDocument } from '@masthead/contract/billing/invoices/document'
import type { Input, Operation } from '@masthead/contract/kernel/operation'
import { urlOf } from '../../api/client.ts'
import { backofficeToken } from '../../api/session.ts'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.ts'

/** Fetches a document and hands it to the browser to keep: staff prove themselves by a header, which no link can. */
export async function saveDocument<Op extends Operation>(
  operation: Op,
  input: Input<Op>,
  { number }: Pick<BillingDocument, 'number'>
): Promise<void> {
  const token = backofficeToken()
  try {
    const answer = await fetch(urlOf(operation, input), { credentials: 'include', headers: token ? { 'X-Backoffice-Token': token } : {} })
    if (!answer.ok) throw new Error(`The server answered ${answer.status}`)
    saveFile(`${number}.pdf`, await answer.blob())
  } catch {
    toast.error(`${number} could not be downloaded. Try again`)
  }
}

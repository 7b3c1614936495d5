import { closeNext, writeReceipt } from '../../billing/invoices/index.ts'
import type { Tx } from '../../kernel/app.ts'
import { noIntegrations } from '../../kernel/integrations.ts'

const day = 86_400_000

/** Receipts of what was bought, and invoices of the months that are closed, each at its time. */
export async function writeDemoDocuments(tx: Tx, account_id: string, now: Date): Promise<void> {
  const { seller } = noIntegrations
  const paid = await tx
    .selectFrom('top_up')
    .select(['account_id', 'id', 'begun_at'])
    .where('account_id', '=', account_id)
    .orderBy('begun_at')
    .execute()
  for (const { begun_at, ...of } of paid) await writeReceipt(tx, of, begun_at, seller)
  // Some minutes after a month has closed its invoice is there.
  for (let back = 4; back >= 0; back--) {
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back) + 3 * day + 17 * 60_000)
    if (at <= now) while (await closeNext(tx, account_id, at, seller));
  }
}

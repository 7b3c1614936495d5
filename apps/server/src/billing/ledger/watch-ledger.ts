import { sql } from 'kysely'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { App, Db } from '../../kernel/app.ts'
import type { DatabaseFigure } from '../../kernel/database-figures.ts'
import { raiseAlert, resolveAlert } from '../../notifications/index.ts'
import { proveLedger, type Proof } from './prove.ts'

const proofId = idKind('prf')
const cause = 'ledger:differences'

/** Compares the books and keeps what came of it. What does not agree is told to those who manage billing, each on their own account, until it does. */
export async function watchLedger(app: App): Promise<Proof> {
  const { db, log } = app
  const proof = await proveLedger(app)
  const { differences, ended_at: at } = proof
  const id = newId(proofId, at.getTime())
  if (differences.length > 0) log.error({ differences }, 'the books of the ledger do not agree')
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('ledger_proof')
      .values({ id, ...proof, differences: JSON.stringify(differences) })
      .execute()
    const { rows: staff } = await sql<{ account_id: string }>`select account_id from person
      where permissions @> '{backoffice,manage_billing}' order by 1`.execute(tx)
    for (const { account_id } of staff) {
      if (differences.length === 0) await resolveAlert(tx, account_id, cause, at, 'The books of the ledger agree again')
      else
        await raiseAlert(
          tx,
          { account_id, told_by: id, at },
          {
            cause,
            severity: 'critical',
            source: 'billing',
            title: 'The books of the ledger do not agree',
            words: `${differences[0]!.words}, on the account ${differences[0]!.account_id}. ${differences.length === 1 ? 'Nothing else differs.' : `${differences.length - 1} more differ.`} The command “ledger prove” lists them.`,
            lasting: true,
            audience: 'owner',
          }
        )
    }
  })
  return proof
}

/** Null until they were compared for the first time. */
export async function lastProof(db: Db): Promise<Proof | null> {
  const row = await db
    .selectFrom('ledger_proof')
    .select(['started_at', 'ended_at', 'accounts', 'transactions', 'differences'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** What `/metrics` says of the last comparison. */
export const ledgerFigures: readonly DatabaseFigure[] = [
  {
    name: 'masthead_ledger_differences',
    help: 'What did not agree when the books of the ledger were last compared',
    samples: async ({ db }) => {
      const { rows } = await sql<{ value: number }>`select jsonb_array_length(differences) as value
        from ledger_proof order by id desc limit 1`.execute(db)
      return rows
    },
  },
]

import { sql } from 'kysely'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { App, Db, Tx } from '../../kernel/app.ts'
import type { DatabaseFigure } from '../../kernel/database-figures.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { raiseAlert, resolveAlert } from '../../notifications/index.ts'
import { proveLedger, type Proof } from './prove.ts'

const proofId = idKind('prf')
const cause = 'ledger:differences'
/** While a query reads all of one moment, nothing that others delete can be cleared away. */
const longest = '1h'
const mostLogged = 100
/** The job that compares, each night and when somebody asks. */
export const watchTask = 'billing.watch_ledger'
const asked = `${watchTask} asked`

/** A comparison that waits for its turn, runs, or has failed, and since when. */
export type ProofCheck = { state: 'waiting' | 'running' | 'failed'; since: Date }

/** The comparison that runs, or that somebody asked for; null: there is none, or the books were compared since. */
export async function findProofCheck(db: Db): Promise<ProofCheck | null> {
  const { rows } =
    await sql<ProofCheck>`select case when j.locked_at is not null then 'running' when j.attempts >= j.max_attempts then 'failed' else 'waiting' end as state,
      coalesce(j.locked_at, case when j.attempts >= j.max_attempts then j.updated_at else j.run_at end) as since
    from graphile_worker.jobs j where j.task_identifier = ${watchTask} and (j.locked_at is not null or (j.key = ${asked}
      and (j.attempts < j.max_attempts or not exists (select from ledger_proof p where p.ended_at > j.updated_at))))
    order by j.locked_at nulls last limit 1`.execute(db)
  return rows[0] ?? null
}

/** Has the books compared by a job, unless one waits or runs: tried once, since it reads all there is. */
export async function askForProof(tx: Tx): Promise<ProofCheck> {
  const check = await findProofCheck(tx)
  if (check && check.state !== 'failed') return check
  await addJob(tx, watchTask, {}, { key: asked, queue: watchTask, maxAttempts: 1 })
  return (await findProofCheck(tx))!
}

/** Compares the books and keeps what came of it. Of what does not agree it notifies those who manage billing, each on their own account, until it does. */
export async function watchLedger(app: App): Promise<Proof> {
  const { db, log } = app
  const proof = await proveLedger(app, { longest })
  const { found, differences, ended_at: at } = proof
  const id = newId(proofId, at.getTime())
  if (found > 0) log.error({ found, differences: differences.slice(0, mostLogged) }, 'the books of the ledger do not agree')
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('ledger_proof')
      .values({ id, ...proof, differences: JSON.stringify(differences) })
      .execute()
    const { rows: staff } = await sql<{ account_id: string }>`select account_id from person
      where permissions @> '{backoffice,manage_billing}' order by 1`.execute(tx)
    for (const { account_id } of staff) {
      if (found === 0) await resolveAlert(tx, account_id, cause, at, 'The books of the ledger agree again')
      else
        await raiseAlert(
          tx,
          { account_id, raised_by: id, at },
          {
            cause,
            severity: 'critical',
            source: 'billing',
            title: 'The books of the ledger do not agree',
            words: `${differences[0]!.words}, on the account ${differences[0]!.account_id}. ${found === 1 ? 'Nothing else differs.' : `${found - 1} more differ.`} The command “ledger prove” lists them.`,
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
    .select(['started_at', 'ended_at', 'accounts', 'transactions', 'found', 'differences'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { ...row, found: row.found ?? row.differences.length } : null
}

/** What `/metrics` says of the last comparison. */
export const ledgerFigures: readonly DatabaseFigure[] = [
  {
    name: 'masthead_ledger_differences',
    help: 'What did not agree when the books of the ledger were last compared',
    samples: async ({ db }) => {
      const { rows } = await sql<{ value: number }>`select coalesce(found, jsonb_array_length(differences)) as value
        from ledger_proof order by id desc limit 1`.execute(db)
      return rows
    },
  },
]

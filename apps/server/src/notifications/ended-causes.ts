import { sql } from 'kysely'
import type { App, Db, Tx } from '../kernel/app.ts'
import { handedOverCause, someWait, waits } from './handed-over.ts'
import { resolveAlert } from './raise-alert.ts'
import { isHalted, rolloutCause } from './rollout-alerts.ts'
import { failingCause, isFailing } from './rules/rule-alerts.ts'

/** Whether a SIM still has the block of a cause, or any SIM of the account, where the cause is shared. A terminated SIM has no service to lose. */
export async function blocksLeft(db: Db, account_id: string, cause: string): Promise<boolean> {
  const [, sim_id, code] = cause.split(':') as [string, string, string]
  const { rows } = await sql<{ left: boolean }>`select exists (select from sim where account_id = ${account_id} and state <> 'terminated'
    and (${sim_id} = '*' or id = ${sim_id}) and blocks <> '[]' and blocks @> ${JSON.stringify([{ code }])}::jsonb) as left`.execute(db)
  return rows[0]!.left
}

/** Whether the session that was to be cut goes on. */
export async function cutIsOpen(db: Db, account_id: string, cause: string): Promise<boolean> {
  const session_id = cause.slice(cause.indexOf(':') + 1)
  const session = await db
    .selectFrom('data_session')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', session_id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return session !== undefined
}

const causesLeft: readonly (readonly [string, (tx: Tx, account_id: string, cause: string) => Promise<boolean>])[] = [
  ['sim_block:', blocksLeft],
  ['session_cut:', cutIsOpen],
  [rolloutCause, isHalted],
  [failingCause, isFailing],
  [handedOverCause, someWait],
]

/** Ends what is over without an event that says so: the asset was removed, the SIM terminated, the session ran out, the fleet deleted, the rule works again, nothing waits any more. */
export async function resolveEndedCauses({ db, clock }: App): Promise<void> {
  const at = clock.now()
  const { rows } = await sql<{ account_id: string; cause: string }>`select a.account_id, a.cause from alert a
    where a.resolved_at is null and (
      (a.cause like 'sim_block:%' and not exists (select from sim s where s.account_id = a.account_id and s.state <> 'terminated'
        and split_part(a.cause, ':', 2) in ('*', s.id) and s.blocks <> '[]'
        and s.blocks @> jsonb_build_array(jsonb_build_object('code', split_part(a.cause, ':', 3)))))
      or (a.cause like 'session_cut:%' and not exists (select from data_session d where d.account_id = a.account_id
        and d.id = split_part(a.cause, ':', 2) and d.ended_at is null))
      or (a.cause like 'rollout:%' and not exists (select from rollout r where r.account_id = a.account_id
        and r.id = split_part(a.cause, ':', 2) and r.state = 'halted'))
      or (a.cause like 'rule\\_fails:%' and not exists (select from alert_rule l where l.account_id = a.account_id
        and l.id = split_part(a.cause, ':', 2) and l.enabled_at is not null and l.failed_words is not null))
      or (a.cause like 'handed\\_over:%' and not exists (select from inventory i join person p on ${waits} where p.account_id = a.account_id)))`.execute(
    db
  )
  for (const { account_id, cause } of rows) {
    await db.transaction().execute(async (tx) => {
      const left = causesLeft.find(([start]) => cause.startsWith(start))![1]
      if (!(await left(tx, account_id, cause))) await resolveAlert(tx, account_id, cause, at, 'It is over')
    })
  }
}

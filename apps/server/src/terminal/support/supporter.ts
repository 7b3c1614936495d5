import { sql } from 'kysely'
import type { Actor, App } from '../../kernel/app.ts'

/**
 * Whose account a terminal of support is on, while the person may: the customer allows them the device, whoever of support opened it, they are staff still,
 * and in the backoffice with this very session.
 */
async function findAccount({ db, clock }: App, { person_id, session_id }: Actor, terminal_id: string): Promise<string | null> {
  const at = clock.now()
  const { rows } = await sql<{ account_id: string }>`select t.account_id from terminal_session t
    join support_access support on support.account_id = t.account_id and support.asset_id = t.asset_id
    join person on person.id = support.staff_person_id
    join account own on own.id = person.account_id
    where t.id = ${terminal_id} and t.support_id is not null and support.staff_person_id = ${person_id} and support.state = 'allowed' and support.until > ${at}
      and person.permissions @> '{backoffice,manage_support}' and own.suspended_at is null
      and exists (select from backoffice_stay stay where stay.person_id = ${person_id} and stay.session_id = ${session_id ?? ''}
        and stay.ended_at is null and stay.expires_at > ${at})`.execute(db)
  return rows[0]?.account_id ?? null
}

/** Somebody of support at the window of a terminal of support: staff on that account, who see the one device. Null: it is none of theirs. */
export async function findSupporter(app: App, actor: Actor, terminal_id: string): Promise<Actor | null> {
  const account_id = await findAccount(app, actor, terminal_id)
  return account_id === null ? null : { ...actor, kind: 'staff', account_id, permissions: [], tags: [] }
}

export const supportStands = (app: App, actor: Actor, terminal_id: string): Promise<boolean> =>
  findAccount(app, actor, terminal_id).then(
    (account_id) => account_id !== null,
    // Where it cannot be asked nothing was taken away.
    () => true
  )

import { sql } from 'kysely'

/**
 * SQL: when somebody was last active on an account; null: never. The later of their last change there and of what a session of theirs was
 * last used for there (to the minute): a session is gone once they sign out, what they did is not. `person` and `account_id` name
 * a table of persons and a column of the query.
 */
export const lastActive = (person: string, account_id: string) => {
  const of = (column: string) => sql.ref(`${person}.${column}`)
  return sql<Date | null>`greatest(
    (select max(s.seen_at) from session s
      where s.person_id = ${of('id')} and coalesce(s.acting_as, ${of('account_id')}) = ${sql.ref(account_id)}),
    (select e.at from event e where e.account_id = ${sql.ref(account_id)} and e.actor_email = ${of('email')} order by e.id desc limit 1)
  )`.as('last_active_at')
}

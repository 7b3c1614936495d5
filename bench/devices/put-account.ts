import type pg from 'pg'
import { newId } from '@masthead/contract/kernel/id'
import { openedCookie } from '@masthead/testkit/fleet'

export type OwnAccount = {
  account_id: string
  /** Of its owner, signed in. */
  cookie: string
  /** The ids of its assets, by their numbers. */
  assets: readonly string[]
}

/** An account with assets that can run our agent, put into the database. `name` is its own. */
export async function putAccount(pool: pg.Pool, { name, assets: count }: { name: string; assets: number }): Promise<OwnAccount> {
  const [account_id, person_id] = [newId('account'), newId('person')]
  await pool.query('insert into account (id, team_name) values ($1, $2)', [account_id, name])
  await pool.query(`insert into person (id, account_id, email, email_proven_at, email_proven_by) values ($1, $2, $3, now(), 'mail')`, [
    person_id,
    account_id,
    `${name}@example.test`,
  ])
  const assets = Array.from({ length: count }, () => newId('asset'))
  await pool.query(
    `insert into asset (account_id, id, type, serial, name)
      select $1, id, 'alpon_x4', $3 || '-' || nth, 'Device ' || nth from unnest($2::text[]) with ordinality as given (id, nth)`,
    [account_id, assets, name.toUpperCase()]
  )
  return { account_id, cookie: await openedCookie(pool, person_id), assets }
}

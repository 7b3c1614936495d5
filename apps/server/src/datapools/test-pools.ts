import { newId } from '@masthead/contract/kernel/id'
import type { House } from '@masthead/testkit/house'
import { type Insertable, sql } from 'kysely'
import type { Database } from '../kernel/database/database.ts'
import { insertPool } from './open-pool.ts'

type Changes = Partial<Insertable<Database['data_package']>> & {
  auto_renew?: boolean
  tags?: string[]
  assets?: string[]
  priority?: number
}
type Of = { account_id: string; email: string }

let made = 0

/** Says which zone networks are in: `{ '262-01': 'Europe' }`. */
export async function putZones({ db }: Pick<House, 'db'>, zones: Record<string, string>): Promise<void> {
  for (const [mccmnc, zone] of Object.entries(zones)) {
    await sql`insert into network (mccmnc, name, country) values (${mccmnc}, ${mccmnc}, 'DE') on conflict do nothing`.execute(db)
    await sql`insert into network_rate (mccmnc, effective_from, zone, cost_micros, price_micros, set_by, set_at)
      values (${mccmnc}, '2026-01-01', ${zone}, 0, 0, 'test', now())`.execute(db)
  }
}

/** A package that is offered. Its id. */
export async function putPackage({ db, clock }: Pick<House, 'db' | 'clock'>, changes: Changes = {}): Promise<string> {
  const { auto_renew: _, priority: __, ...given } = changes
  const at = clock.now()
  const id = newId({ prefix: 'pkg' }, at.getTime())
  await db
    .insertInto('data_package')
    .values({
      id,
      name: `Package ${++made}`,
      kind: 'fixed',
      size_bytes: 1000,
      zone: null,
      validity_count: 1,
      validity_unit: 'month',
      price_micros: 0,
      currency: 'USD',
      overage_policy: 'stop',
      overage_percent: null,
      max_sims: null,
      prorate_first: false,
      created_at: at,
      created_by: 'staff@example.test',
      retired_at: null,
      ...given,
    })
    .execute()
  return id
}

/** A package and a pool of it, which assets may draw from. The pool's id. */
export async function putPool(house: Pick<House, 'db' | 'clock'>, { account_id, email }: Of, changes: Changes = {}): Promise<string> {
  const { auto_renew = true, priority = 100 } = changes
  const package_id = await putPackage(house, changes)
  const at = house.clock.now()
  return house.db.transaction().execute(async (tx) => {
    const { id } = await insertPool(tx, { account_id, package_id, name: `Pool ${made}`, auto_renew, by: email, at })
    await tx.updateTable('data_pool').set({ priority }).where('id', '=', id).execute()
    return id
  })
}

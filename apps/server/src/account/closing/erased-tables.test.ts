import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFleet } from '@masthead/contract/alpon-fleets/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { chainEvents } from '../../activities/chain-events.ts'
import { addStock } from '../../backoffice/test-backoffice.ts'
import { eraseClosed, ofAccount, ofPerson } from './erase-account.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** What stays when an account is erased, and why. */
const kept = {
  person: 'its row stays without an address, a name and a password: what they did elsewhere points at it',
  asset_count: 'numbers that are 0 once the assets are gone',
  account_usage_hour: 'amounts',
  usage_record: 'amounts',
  usage_hour: 'amounts',
  usage_open_hour: 'amounts',
  usage_day: 'amounts',
  usage_month: 'amounts',
  usage_late: 'amounts',
  feed_day: 'amounts',
  sim_counter: 'amounts',
  usage_correction: 'amounts that staff corrected',
  usage_correction_part: 'amounts that staff corrected',
  usage_correction_back: 'amounts that staff corrected',
  quarantine: 'what gateways reported',
  inventory: 'stock, which is free again',
  account_tariff: 'bookkeeping',
  billing_account: 'bookkeeping',
  billing_document: 'bookkeeping',
  billing_month: 'bookkeeping',
  charge: 'bookkeeping',
  charge_account: 'bookkeeping',
  charge_scope: 'bookkeeping',
  cost_month: 'bookkeeping',
  cost_zone: 'bookkeeping',
  cost_sim: 'bookkeeping',
  coupon_use: 'bookkeeping',
  ledger_entry: 'bookkeeping',
  ledger_grant: 'bookkeeping',
  ledger_transaction: 'bookkeeping',
  pay_back: 'bookkeeping',
  sim_fee: 'bookkeeping',
  top_up: 'bookkeeping',
  event_chain: 'the chain is proved without what was said',
  event_erased: 'the chain is proved without what was said',
  event_seal: 'the chain is proved without what was said',
  event_unsealed: 'on the way into the chain; then it is gone',
  staff_log: 'the log of staff',
  backoffice_stay: 'the log of staff points at it',
}
/** Removed by statements of their own. */
const alsoRemoved = ['asset', 'data_session', 'event', 'card', 'card_setup', 'card_customer']

test('every table with an account or a person is erased with it, or it is said here why not', async () => {
  const { rows: links } = await sql<{
    child: string
    parent: string
  }>`select conrelid::regclass::text as child, confrelid::regclass::text as parent
    from pg_constraint where contype = 'f' and confdeltype = 'c' and conparentid = 0`.execute(house.db)
  const gone = new Set([...ofAccount, ...ofPerson, ...alsoRemoved])
  for (let before = -1; before < gone.size;) {
    before = gone.size
    for (const { child, parent } of links) if (gone.has(parent)) gone.add(child)
  }
  const { rows } = await sql<{ name: string }>`select distinct c.table_name as name from information_schema.columns c
    join pg_class on relname = c.table_name and relkind in ('r', 'p') and not relispartition
    where c.table_schema = 'public' and c.column_name in ('account_id', 'person_id')`.execute(house.db)
  const left = rows.map(({ name }) => name).filter((name) => !gone.has(name))
  expect(left.toSorted()).toEqual(Object.keys(kept).toSorted())
})

test('fleets, deployments, terminals, tunnels and what support saw go with the account', async () => {
  const owner = await house.newOwner('canary-fleets')
  const { account_id } = owner
  expect((await owner.call(createFleet, { body: { name: 'Canary trucks' } })).status).toBe(200)
  await sql`insert into support_access (account_id, id, asset_id, asset_name, staff_person_id, staff_email, reason, minutes, state, asked_at,
      until, ended_at)
    values (${account_id}, 'sup_1', 'ast_1', 'Canary reefer', 'per_1', 'staff@masthead.test', 'A ticket', 60, 'over', now(), now(), now())`.execute(
    house.db
  )
  const giver = await house.newOwner('giver')
  const { serial } = await addStock(house, null)
  await house.db
    .updateTable('inventory')
    .set({ reserved_for: owner.email, released_by: giver.account_id })
    .where('serial', '=', serial)
    .execute()
  const count = async () => {
    const counts: Record<string, number> = {}
    for (const table of ['fleet', 'fleet_version', 'support_access']) {
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from ${sql.table(table)} where account_id = ${account_id}`.execute(house.db)
      counts[table] = rows[0]!.n
    }
    return counts
  }
  expect(await count()).toMatchObject({ fleet: 1, support_access: 1 })
  const closed_at = house.clock.now()
  const erase_at = new Date(closed_at.getTime() - 1000)
  await house.db.updateTable('account').set({ closed_at, erase_at }).where('id', '=', account_id).execute()
  while (await chainEvents(house.app));
  await eraseClosed(house.app)
  expect(await count()).toEqual({ fleet: 0, fleet_version: 0, support_access: 0 })
  const stock = house.db.selectFrom('inventory').select(['reserved_for', 'released_by']).where('serial', '=', serial)
  expect(await stock.executeTakeFirstOrThrow()).toEqual({ reserved_for: giver.email, released_by: giver.account_id })
})

import { sql, type Insertable } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import type { House, Person } from '@masthead/testkit/house'
import { putLimit } from '../assets/test-stock.ts'
import type { Tx } from '../kernel/app.ts'
import type { Database } from '../kernel/database/database.ts'
import { added, closeHours } from './roll-ups/roll-up.ts'

type Use = { sim_id: string; hour: string; up: number; down: number; mccmnc?: string; rat?: string }
export type SeededAsset = { asset_id: string; sim_id: string; iccid: string }

// Tests of other processes may use the same database.
const ours = String(Math.floor(Math.random() * 1e10)).padStart(10, '0')
let serial = 0

/** An asset with a SIM, in no way registered: these tests are about figures. */
export async function addAsset(
  { db, clock }: House,
  { account_id }: Person,
  {
    name,
    tags = [],
    limit_bytes = null,
    state = 'active',
  }: { name: string; tags?: string[]; limit_bytes?: number | null; state?: 'ready' | 'active' | 'inactive' }
): Promise<SeededAsset> {
  const asset_id = newId('asset')
  const sim_id = newId('sim')
  const number = String(++serial).padStart(6, '0')
  const iccid = `8931${ours}${number}`
  const at = new Date(clock.now().getTime() - 100 * 86_400_000)
  await db
    .insertInto('asset')
    .values({ account_id, id: asset_id, type: 'picolte', serial: `SN-${asset_id}`, name, sim_id: null, sim_status: null })
    .execute()
  await db
    .insertInto('sim')
    .values({ account_id, id: sim_id, asset_id, iccid, state, activated_at: state === 'ready' ? null : at, ...unset })
    .execute()
  if (limit_bytes !== null) await putLimit(db, { account_id, sim_id, bytes: limit_bytes })
  for (const tag_id of tags) await db.insertInto('asset_tag').values({ account_id, asset_id, tag_id }).execute()
  return { asset_id, sim_id, iccid }
}
const unset = { msisdn: null, eid: null, imei: null, state_changed_at: null, state_changed_by: null }

export async function addTag({ db }: House, { account_id }: Person, name: string): Promise<string> {
  const id = newId('tag')
  await db.insertInto('tag').values({ account_id, id, name, color: 'blue' }).execute()
  return id
}

/** Usage as roll-ups leave it: half of each hour is closed, by hour, day and month, and the rest still open. */
export async function addUsage({ db }: House, { account_id }: Person, uses: readonly Use[]) {
  for (const { sim_id, hour, up, down, mccmnc = '262-01', rat = 'LTE' } of uses) {
    const row = { account_id, hour: new Date(hour), mccmnc, rat }
    const closed = { bytes_up: Math.floor(up / 2), bytes_down: Math.floor(down / 2) }
    await db.transaction().execute(async (tx) => {
      await add(tx, 'usage_open_hour', { ...row, sim_id, ...closed })
      await closeHours(tx, new Date('2100-01-01'))
      await add(tx, 'usage_open_hour', { ...row, sim_id, bytes_up: up - closed.bytes_up, bytes_down: down - closed.bytes_down })
      await add(tx, 'account_usage_hour', { ...row, bytes_up: up, bytes_down: down })
    })
  }
}

const add = <Table extends 'usage_open_hour' | 'account_usage_hour'>(tx: Tx, table: Table, row: Insertable<Database[Table]>) =>
  sql`insert into ${sql.table(table)} as u (${sql.join(Object.keys(row).map((name) => sql.ref(name)))}) values (${sql.join(Object.values(row))})
    on conflict on constraint ${sql.ref(`${table}_pkey`)} ${added}`.execute(tx)

export async function addNetworks({ db }: House) {
  await db
    .insertInto('network')
    .values([
      { mccmnc: '262-01', name: 'Telekom DE', country: 'DE' },
      { mccmnc: '262-02', name: 'Vodafone DE', country: 'DE' },
      { mccmnc: '208-01', name: 'Orange F', country: 'FR' },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

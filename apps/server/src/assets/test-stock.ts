import { luhnDigit } from '@masthead/contract/assets/iccid'
import type { Insertable } from 'kysely'
import type { Asset, AssetType } from '@masthead/contract/assets/asset'
import { listAssets, registerAsset } from '@masthead/contract/assets/operations'
import type { LimitPeriod, SimState } from '@masthead/contract/assets/sim'
import { newId } from '@masthead/contract/kernel/id'
import type { House, Person } from '@masthead/testkit/house'
import { expect } from 'vitest'
import type { Database } from '../kernel/database/database.ts'
import { putGateway } from '../gateways/test-gateway.ts'

let made = 0

/** A piece of stock like no other: serial number, ICCID with its check digit, one IMSI. */
export async function addStock(
  house: House,
  changes: Partial<Pick<Insertable<Database['inventory']>, 'loaded_at' | 'released_at' | 'account_id' | 'asset_id' | 'registered_at'>> & {
    type?: AssetType
    serial?: string
    iccid?: string | null
    imsis?: string[]
  } = {}
) {
  const number = String(++made).padStart(6, '0')
  const body = `894450000012${number}`
  const stock = {
    type: 'alpon_x4' as AssetType,
    serial: `X4-${number}`,
    iccid: (body + luhnDigit(body)) as string | null,
    imsis: [`262010000${number}`],
    msisdn: `49151000${number}`,
    eid: null,
    imei: `35693803${number}9`,
    account_id: null,
    asset_id: null,
    registered_at: null,
    ...changes,
  }
  await house.db.insertInto('inventory').values(stock).execute()
  return stock
}

/** An asset of somebody, registered as people do it. */
export async function addAsset(
  house: House,
  owner: Person,
  { name, tags, ...stock }: { name?: string; tags?: string[] } & Parameters<typeof addStock>[1] = {}
) {
  const { serial } = await addStock(house, stock)
  const { status, body, text } = await owner.call(registerAsset, { body: { token: serial, name, tags } })
  if (status !== 200) throw new Error(text)
  return body
}

/** An asset of somebody with a SIM in any state, as it stands in the database: no stock, and nothing was reported. */
export async function putAsset(
  { db }: Pick<House, 'db'>,
  { account_id }: Pick<Person, 'account_id'>,
  sim: { serial: string; name?: string; iccid: string; imsi: string; state: SimState; msisdn?: string; limit_bytes?: number | null }
) {
  const { serial, name = serial, iccid, imsi, state, msisdn = null, limit_bytes = null } = sim
  const [id, sim_id] = [newId('asset'), newId('sim')]
  const nothing = { eid: null, imei: null, state_changed_at: null, state_changed_by: null, activated_at: null }
  await db.insertInto('asset').values({ account_id, id, type: 'plastic_sim', serial, name, sim_id: null, sim_status: null }).execute()
  await db
    .insertInto('sim')
    .values({ account_id, id: sim_id, asset_id: id, iccid, msisdn, state, created_at: new Date('2020-01-01'), ...nothing })
    .execute()
  await db.insertInto('sim_imsi').values({ imsi, account_id, sim_id }).execute()
  if (limit_bytes !== null) await putLimit(db, { account_id, sim_id, bytes: limit_bytes })
  return { id, sim_id }
}

/** A limit as it stands in the database: of a SIM, of each SIM of a group, or of the SIMs of a pool together. */
export async function putLimit(
  db: House['db'],
  limit: Pick<Insertable<Database['usage_limit']>, 'account_id' | 'sim_id' | 'group_id' | 'pool_id' | 'bytes'> & { period?: LimitPeriod }
): Promise<string> {
  const id = newId('limit')
  await db
    .insertInto('usage_limit')
    .values({ id, period: 'month', ...limit })
    .execute()
  return id
}

/** An open data session of an asset's SIM, seen just now. */
export async function addSession(
  house: House,
  asset: Asset,
  account_id: string,
  changes: Partial<Insertable<Database['data_session']>> = {}
) {
  const at = house.clock.now()
  const { gateway_id } = await putGateway(house.db, { id: 'gtw_test', address: '192.0.2.1' })
  const id = newId('session')
  const session = {
    account_id,
    id,
    sim_id: asset.sim!.id,
    asset_id: asset.id,
    gateway_id,
    nas: 'test',
    acct_session_id: id,
    imsi: asset.sim!.imsi,
    apn: 'iot',
    ip: '10.0.0.9',
    rat: 'EUTRAN',
    mccmnc: '262-01',
    imei: null,
    cell: null,
    started_at: at,
    updated_at: at,
    heard_at: at,
    ended_at: null,
    end_cause: null,
    session_time: 0,
    interim_seconds: 300,
    disconnect: null,
    ...changes,
  }
  await house.db.insertInto('data_session').values(session).execute()
  return session
}

/** What a SIM has used this month, as its counter has it: so many bytes up, unless said otherwise. */
export async function putCounter(
  { db, clock }: Pick<House, 'db' | 'clock'>,
  counter: Pick<Insertable<Database['sim_counter']>, 'account_id' | 'sim_id' | 'bytes_up'> & Partial<Insertable<Database['sim_counter']>>
) {
  const { bytes_up } = counter
  const at = clock.now()
  const period_start = `${at.toISOString().slice(0, 7)}-01`
  await db
    .insertInto('sim_counter')
    .values({ period_start, bytes_down: 0, lifetime_up: bytes_up, lifetime_down: 0, seen_at: at, ...counter })
    .onConflict((conflict) => conflict.columns(['account_id', 'sim_id']).doUpdateSet({ bytes_up }))
    .execute()
}

/** Assets of an account whose SIM is blocked, by their ids, once what waits is done. */
export async function blockedAssets(house: House, { account_id }: Pick<Person, 'account_id'>): Promise<string[]> {
  await house.settle()
  const rows = await house.db
    .selectFrom('sim')
    .select('asset_id')
    .where('account_id', '=', account_id)
    .where('status', '=', 'blocked')
    .execute()
  return rows.map(({ asset_id }) => asset_id).toSorted()
}

export type Query = NonNullable<Parameters<Person['call']>[1]>['query']

/** A page of a person's assets, which they must get. */
export async function list(person: Person, query: Query = {}) {
  const { status, body, text } = await person.call(listAssets, { query: query as never })
  expect(status, text).toBe(200)
  return body
}

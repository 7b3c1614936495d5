import { newId } from '@masthead/contract/kernel/id'
import type { House, Person } from '@masthead/testkit/house'

type Use = { sim_id: string; hour: string; up: number; down: number; mccmnc?: string; rat?: string }
export type SeededAsset = { asset_id: string; sim_id: string; iccid: string }

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
  const iccid = `8931000${Date.now()}${number}`.slice(0, 20)
  const at = new Date(clock.now().getTime() - 100 * 86_400_000)
  await db
    .insertInto('asset')
    .values({ account_id, id: asset_id, type: 'picolte', serial: `SN-${asset_id}`, name, sim_id: null, sim_status: null })
    .execute()
  await db
    .insertInto('sim')
    .values({ account_id, id: sim_id, asset_id, iccid, state, limit_bytes, activated_at: state === 'ready' ? null : at, ...unset })
    .execute()
  for (const tag_id of tags) await db.insertInto('asset_tag').values({ account_id, asset_id, tag_id }).execute()
  return { asset_id, sim_id, iccid }
}
const unset = { msisdn: null, eid: null, imei: null, state_changed_at: null, state_changed_by: null }

export async function addTag({ db }: House, { account_id }: Person, name: string): Promise<string> {
  const id = newId('tag')
  await db.insertInto('tag').values({ account_id, id, name, color: 'blue' }).execute()
  return id
}

/** Usage in the roll-ups, as the meter leaves it: by hour, day and month, and of the whole account. */
export async function addUsage({ db }: House, { account_id }: Person, uses: readonly Use[]) {
  for (const { sim_id, hour, up, down, mccmnc = '262-01', rat = 'LTE' } of uses) {
    const sums = { mccmnc, rat, bytes_up: up, bytes_down: down }
    await db
      .insertInto('usage_hour')
      .values({ account_id, sim_id, hour: new Date(hour), ...sums })
      .execute()
    await db
      .insertInto('usage_day')
      .values({ account_id, sim_id, day: hour.slice(0, 10), ...sums })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'day', 'sim_id', 'mccmnc', 'rat']).doUpdateSet((eb) => ({
          bytes_up: eb('usage_day.bytes_up', '+', up),
          bytes_down: eb('usage_day.bytes_down', '+', down),
        }))
      )
      .execute()
    await db
      .insertInto('usage_month')
      .values({ account_id, sim_id, month: `${hour.slice(0, 7)}-01`, ...sums })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'month', 'sim_id', 'mccmnc', 'rat']).doUpdateSet((eb) => ({
          bytes_up: eb('usage_month.bytes_up', '+', up),
          bytes_down: eb('usage_month.bytes_down', '+', down),
        }))
      )
      .execute()
    await db
      .insertInto('account_usage_hour')
      .values({ account_id, hour: new Date(hour), ...sums })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'hour', 'mccmnc', 'rat']).doUpdateSet((eb) => ({
          bytes_up: eb('account_usage_hour.bytes_up', '+', up),
          bytes_down: eb('account_usage_hour.bytes_down', '+', down),
        }))
      )
      .execute()
  }
}

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

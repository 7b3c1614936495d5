import { randomUUID } from 'node:crypto'
import type { House, Person } from '@masthead/testkit/house'
import { putAsset } from '../assets/test-stock.ts'
import { enrolDevice } from './index.ts'

let made = 0

/** A CORE device that was never connected, with a change of its configuration that waits for it. */
export async function putDevice(house: Pick<House, 'db' | 'clock'>, { account_id }: Pick<Person, 'account_id'>) {
  const number = String(++made).padStart(6, '0')
  const sim = { iccid: `8931080000003${number}`, imsi: `204080003${number}`, state: 'active' as const }
  const { id: asset_id } = await putAsset(house, { account_id }, { serial: `CW-${number}`, ...sim })
  await house.db.updateTable('asset').set({ type: 'core' }).where('account_id', '=', account_id).where('id', '=', asset_id).execute()
  const [at, config_id] = [house.clock.now(), randomUUID()]
  const { device_id } = await house.db.transaction().execute((tx) => enrolDevice(tx, { account_id, asset_id, kind: 'core', at }))
  const row = { ts: 1, configs: JSON.stringify({ apn: 'super' }), made_by: 'somebody@example.test', created_at: at }
  await house.db
    .insertInto('device_config')
    .values({ account_id, device_id, id: config_id, ...row })
    .execute()
  return { asset_id, config_id }
}

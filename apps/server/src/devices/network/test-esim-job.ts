import type { House, Person } from '@masthead/testkit/house'
import { enrolDevice } from '../index.ts'
import { encryptNetworkSecrets } from './network-rows.ts'

/** Gives an asset a device that is to delete a profile of its eSIM and was never connected. */
export async function putEsimJob(
  house: Pick<House, 'app' | 'db' | 'clock'>,
  { account_id, email }: Person,
  asset_id: string
): Promise<void> {
  const at = house.clock.now()
  await house.db.transaction().execute((tx) => enrolDevice(tx, { account_id, asset_id, kind: 'agent', at }))
  await house.db.insertInto('application').values({ account_id, asset_id, revision: 1 }).execute()
  await house.db
    .insertInto('device_network')
    .values({
      account_id,
      asset_id,
      generation: 1,
      priority: null,
      apn: null,
      apn_user: null,
      has_apn_password: false,
      pin_generation: null,
      wifi: null,
      profile: null,
      esim_job: JSON.stringify({ generation: 1, do: 'delete', iccid: '8931440400002815534' }),
      sealed_secrets: encryptNetworkSecrets(house.app.db, asset_id, '{}'),
      changed_at: at,
      changed_by: email,
      sent_generation: null,
      sent_at: null,
    })
    .execute()
}

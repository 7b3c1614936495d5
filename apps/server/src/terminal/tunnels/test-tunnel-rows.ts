import { newId } from '@masthead/contract/kernel/id'
import { tunnelConnectionId, tunnelId } from '@masthead/contract/terminal/tunnel'
import type { House, Person } from '@masthead/testkit/house'

/** A tunnel that its device was notified of and that a process holds, with a connection that is over. */
export async function putTunnel(house: House, { account_id, email }: Person, on: { asset_id: string; device_id: string }) {
  const { asset_id, device_id } = on
  const at = house.clock.now()
  const { name: asset_name } = await house.db
    .selectFrom('asset')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id)
    .executeTakeFirstOrThrow()
  const { id: person_id } = await house.db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const id = newId(tunnelId)
  const row = { account_id, id, asset_id, asset_name, device_id, port: 22, address: null, sources: ['203.0.113.0/24'], minutes: 1440 }
  const until = new Date(at.getTime() + 86_400_000)
  await house.db
    .insertInto('tunnel')
    .values({ ...row, person_id, opened_by: email, opened_at: at, told_at: at, until, held_by: 'another', held_until: until })
    .execute()
  const connection = { account_id, tunnel_id: id, id: newId(tunnelConnectionId), at, ended_at: at, from_ip: '203.0.113.9' }
  await house.db
    .insertInto('tunnel_connection')
    .values({ ...connection, result: 'closed', words: null })
    .execute()
  return { id, asset_id }
}

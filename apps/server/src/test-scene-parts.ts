import { newId } from '@masthead/contract/kernel/id'
import type { House, Person } from '@masthead/testkit/house'
import { putDevice } from './devices/test-device.ts'
import { putSupport } from './terminal/support/test-support-rows.ts'

/** An identity that signs in as somebody who has a password too. */
export async function addIdentity(house: House, { email }: Person): Promise<string> {
  const { id: person_id } = await house.db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const [id, at] = [newId('identity'), house.clock.now()]
  await house.db
    .insertInto('identity')
    .values({ id, issuer: 'https://login.test', subject: id, person_id, email, linked_at: at, used_at: at })
    .execute()
  return id
}

export async function addAlert(house: House, account_id: string) {
  const [id, at] = [newId('alert'), house.clock.now()]
  const words = {
    cause: id,
    severity: 'warn' as const,
    source: 'policy' as const,
    audience: 'members' as const,
    title: 'Title',
    words: 'Words',
  }
  const nothing = { permission: null, asset_id: null, link: null, acknowledged_at: null, acknowledged_by: null }
  await house.db
    .insertInto('alert')
    .values({ account_id, id, ...words, ...nothing, lasting: true, first_at: at, last_at: at, resolved_at: null, resolved_words: null })
    .execute()
  return id
}

/** A change of many assets that has ended. */
export async function addBulkChange(house: House, { account_id, email }: Person, asset_id: string) {
  const [id, at] = [newId('bulk'), house.clock.now()]
  const actor = JSON.stringify({ kind: 'member', email, person_id: '', tags: [], ip: null, request_id: null })
  await house.db
    .insertInto('bulk_change')
    .values({
      account_id,
      id,
      action: 'activate_sim',
      tags: '[]',
      actor,
      started_at: at,
      total: 1,
      finished_at: at,
      outcomes: JSON.stringify({ changed: 1 }),
    })
    .execute()
  const was = { asset_ids: [asset_id], outcomes: ['changed'], wishes: null, before: JSON.stringify([{ state: 'inactive' }]) }
  await house.db
    .insertInto('bulk_change_part')
    .values({ account_id, bulk_id: id, part: 0, ...was })
    .execute()
  return id
}

/** Devices of a customer: one that a person of staff may open a terminal on, and one that they have not asked for. */
export async function addSupported(house: House, account_id: string, staff: Person) {
  const [device, other] = [await putDevice(house, { account_id }), await putDevice(house, { account_id })]
  await house.db
    .updateTable('device')
    .set({ online: true, last_birth_at: house.clock.now() } as never)
    .where('account_id', '=', account_id)
    .execute()
  return { ...(await putSupport(house, { account_id, asset_id: device.asset_id }, staff)), other_asset_id: other.asset_id }
}

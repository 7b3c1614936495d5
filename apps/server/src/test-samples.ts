import { enterBackoffice } from '@masthead/contract/backoffice/operations'
import { createApiKey } from '@masthead/contract/developers/operations'
import { newId } from '@masthead/contract/kernel/id'
import type { Operation } from '@masthead/contract/kernel/operation'
import type { House, Person } from '@masthead/testkit/house'
import { hashPassword } from './auth/index.ts'

export type Sample = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown; other?: unknown }

const password = 'correct horse battery'
const passwordHash = hashPassword(password)
let count = 0

/** An account with one of everything that an address of the API can name. */
export async function newScene(house: House) {
  const [owner, colleague] = [await house.newOwner(), await house.newOwner()]
  await house.db
    .updateTable('person')
    .set({ password_hash: await passwordHash })
    .where('email', 'in', [owner.email, colleague.email])
    .execute()
  const { account_id } = owner
  const tag_id = newId('tag')
  await house.db.insertInto('tag').values({ account_id, id: tag_id, name: 'north', color: 'teal' }).execute()
  const active = await addAsset(house, account_id, 'active')
  const idle = await addAsset(house, account_id, 'inactive')
  const stock = `STOCK-${++count}`
  await house.db
    .insertInto('inventory')
    .values({
      serial: stock,
      type: 'alpon_x4',
      iccid: null,
      msisdn: null,
      eid: null,
      imei: null,
      account_id: null,
      asset_id: null,
      registered_at: null,
    })
    .execute()
  const api_key_id = await addApiKey(house, owner)
  return { owner, colleague, account_id, tag_id, active, idle, stock, api_key_id }
}
export type Scene = Awaited<ReturnType<typeof newScene>>

/** A key that may what whoever changes keys may themselves. */
async function addApiKey(house: House, owner: Person): Promise<string> {
  const made = await owner.call(createApiKey, { body: { name: 'sweep', scopes: ['developers.edit'] } })
  return made.body.id
}

async function addAsset(house: House, account_id: string, state: 'active' | 'inactive') {
  const [id, sim_id] = [newId('asset'), newId('sim')]
  const number = String(++count).padStart(8, '0')
  const [serial, iccid] = [`SWEEP-${number}`, `89490200${number}123`]
  await house.db
    .insertInto('asset')
    .values({ account_id, id, type: 'plastic_sim', serial, name: serial, sim_id: null, sim_status: null })
    .execute()
  await house.db
    .insertInto('sim')
    .values({
      account_id,
      id: sim_id,
      asset_id: id,
      iccid,
      msisdn: null,
      eid: null,
      imei: null,
      state,
      state_changed_at: null,
      state_changed_by: null,
      activated_at: null,
      limit_bytes: null,
    })
    .execute()
  await house.db
    .insertInto('sim_imsi')
    .values({ imsi: `901280${number}0`, account_id, sim_id })
    .execute()
  return { id, serial, iccid }
}

/** Somebody who has the access that a call asks for and no more. */
export async function callerFor(
  house: House,
  op: Operation,
  { owner }: Scene
): Promise<{ person: Person; headers: Record<string, string> }> {
  // Only staff may ask to enter the backoffice, though they have no token yet.
  if (op.name === 'backoffice.enterBackoffice') await makeStaff(house, owner, ['backoffice'])
  if (op.access === 'public' || op.access === 'signed_in') return { person: owner, headers: {} }
  if (isStaffCall(op)) return { person: owner, headers: { 'x-backoffice-token': await enter(house, owner, ['backoffice', op.access]) } }
  return { person: await house.newMember(owner, [op.access]), headers: {} }
}

export const isStaffCall = ({ access }: Operation) => ['backoffice', 'audit_logs', 'manage_networks', 'manage_datapools'].includes(access)

/** Makes somebody staff and takes them into the backoffice: the token. */
export async function enter(house: House, person: Person, permissions: string[]): Promise<string> {
  await makeStaff(house, person, permissions)
  return (await person.call(enterBackoffice, { body: { password, reason: 'The sweep' } })).body.token
}

const makeStaff = (house: House, { email }: Person, permissions: string[]) =>
  house.db.updateTable('person').set({ permissions }).where('email', '=', email).execute()

/** A request of each call that works on a scene; `other` is another body for the same call. Calls that need nothing are left out. */
export const samples: Record<string, (scene: Scene) => Sample> = {
  'auth.login': ({ owner, colleague }) => ({ body: { email: owner.email, password }, other: { email: colleague.email, password } }),
  'auth.register': () => ({
    body: { email: `new-${++count}@example.test`, password, team_name: 'New' },
    other: { email: `new-${++count}@example.test`, password, team_name: 'New' },
  }),
  'auth.switchAccount': ({ owner }) => ({
    body: { team_member_email: owner.email },
    other: { team_member_email: 'somebody@example.test' },
  }),
  'backoffice.enterBackoffice': () => ({ body: { password, reason: 'A ticket' }, other: { password, reason: 'Another ticket' } }),
  'backoffice.loadInventory': () => ({ body: `type,serial\nplastic_sim,LOAD-${++count}\n` }),
  'assets.getAsset': ({ active }) => ({ params: { asset_id: active.id } }),
  'assets.registerAsset': ({ stock }) => ({ body: { token: stock }, other: { token: stock, name: 'Other' } }),
  'assets.updateAsset': ({ active }) => ({ params: { asset_id: active.id }, body: { name: 'New name' }, other: { name: 'Other name' } }),
  'assets.activateSim': ({ idle, active }) => ({ params: { asset_id: idle.id }, other: { asset_id: active.id } }),
  'assets.deactivateSim': ({ idle, active }) => ({ params: { asset_id: active.id }, other: { asset_id: idle.id } }),
  'assets.listAssetSessions': ({ active }) => ({ params: { asset_id: active.id } }),
  'assets.getSimUsages': ({ active }) => ({ params: { asset_id: active.id } }),
  'tags.createTag': () => ({ body: { name: 'south' }, other: { name: 'east' } }),
  'tags.updateTag': ({ tag_id }) => ({ params: { tag_id }, body: { name: 'south' }, other: { name: 'east' } }),
  'tags.deleteTag': ({ tag_id }) => ({ params: { tag_id } }),
}

const onKey = ({ api_key_id }: Scene) => ({ params: { api_key_id }, other: { api_key_id: 'another' } })
Object.assign(samples, {
  'developers.getApiKey': onKey,
  'developers.createApiKey': () => ({
    body: { name: 'south', scopes: ['developers.edit'] },
    other: { name: 'east', scopes: ['developers.edit'] },
  }),
  'developers.updateApiKey': (scene) => ({ ...onKey(scene), body: { name: 'south' }, other: { name: 'east' } }),
  'developers.rotateApiKey': (scene) => ({ ...onKey(scene), body: { overlap_hours: 1 }, other: { overlap_hours: 2 } }),
  'developers.disableApiKey': onKey,
  'developers.enableApiKey': onKey,
  'developers.deleteApiKey': onKey,
} satisfies typeof samples)

/** The names that an address has on a scene, each way it may be written. */
export const namesOf = (scene: Scene): Record<string, string[]> => ({
  asset_id: [scene.active.id, scene.active.serial, scene.active.iccid],
  tag_id: [scene.tag_id],
  api_key_id: [scene.api_key_id],
})

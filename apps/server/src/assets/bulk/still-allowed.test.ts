import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BulkChange } from '@masthead/contract/assets/bulk/bulk'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { disableApiKey, rotateApiKey } from '@masthead/contract/developers/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { removeMember } from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { newKey } from '../../developers/test-keys.ts'
import { changePart } from './change-part.ts'
import { addMany } from './test-many.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const rights = ['assets.view', 'assets.edit']
const work = { action: 'activate_sim', filter: {}, count: 510 } as const
type Asker = { call: (...given: [typeof bulk.startBulkChange, { body: typeof work }]) => Promise<{ body: unknown }> }

/** Begins a change of 510 assets, which are two parts: does the first, then what `between` says, then the second. */
async function change(owner: Person, asker: Asker, between: () => Promise<unknown>) {
  const { id } = (await asker.call(bulk.startBulkChange, { body: work })).body as BulkChange
  await doPart(owner, id, 0)
  await between()
  await doPart(owner, id, 1)
  return (await owner.call(bulk.getBulkChange, { params: { bulk_id: id } })).body
}
const doPart = ({ account_id }: Person, bulk_id: string, part: number) =>
  house.db.transaction().execute((tx) => changePart(tx, house.clock.now(), { account_id, bulk_id, part }))

/** Sets what a member may and sees now. */
const setMember = ({ account_id }: Person, changes: { permissions?: string[]; tags?: string[] }) =>
  house.db.updateTable('membership').set(changes).where('account_id', '=', account_id).execute()

const stopped = { done: 510, changed: 500, left: [{ reason: 'not_allowed', count: 10 }], finished_at: expect.any(String) }
const finished = { done: 510, changed: 510, left: [] }

test('a change ends where its member is when they are removed, and says so', async () => {
  const owner = await house.newOwner()
  await addMany(house, owner, 510)
  const member = await house.newMember(owner, rights)
  const told = await change(owner, member, () => owner.call(removeMember, { params: { member_email: member.email } }))
  expect(told).toMatchObject({ ...stopped, started_by: member.email })
  const active = house.db.selectFrom('sim').select('id').where('account_id', '=', owner.account_id).where('state', '=', 'active')
  expect(await active.execute()).toHaveLength(500)
  const left = (await owner.call(bulk.listLeftAssets, { params: { bulk_id: told.id } })).body
  expect(left).toMatchObject({ total: 10, items: Array(10).fill(expect.objectContaining({ reason: 'not_allowed' })) })
  const events = (await house.events(owner.account_id)).filter(({ name }) => name === 'assets.assets_changed')
  expect(events).toMatchObject([{ actor_email: member.email, detail: { changed: 500, left: 10, stopped: true } }])
})

test('so it does without the permission, limited to fewer tags or to others, and not with more', async () => {
  const owner = await house.newOwner()
  const [north, south] = await Promise.all(
    ['north', 'south'].map(async (name) => (await owner.call(createTag, { body: { name } })).body.id)
  )
  await addMany(house, owner, 510)
  await sql`insert into asset_tag (account_id, asset_id, tag_id) select account_id, id, unnest(${[north, south]}::text[])
    from asset where account_id = ${owner.account_id}`.execute(house.db)
  const member = await house.newMember(owner, rights)
  const tried = async (from: { permissions?: string[]; tags?: string[] }, to: typeof from) => {
    await setMember(owner, { permissions: rights, tags: [], ...from })
    await house.db.updateTable('sim').set({ state: 'inactive' }).where('account_id', '=', owner.account_id).execute()
    return change(owner, member, () => setMember(owner, to))
  }
  expect(await tried({}, { permissions: ['assets.view'] })).toMatchObject(stopped)
  expect(await tried({}, { tags: [north!] })).toMatchObject(stopped)
  expect(await tried({ tags: [north!, south!] }, { tags: [north!] })).toMatchObject(stopped)
  expect(await tried({ tags: [north!] }, { tags: [south!] })).toMatchObject(stopped)
  expect(await tried({ tags: [north!] }, { tags: [north!, south!] })).toMatchObject(finished)
})

test('so it does when the key it was asked for with has ended, or its maker', async () => {
  const owner = await house.newOwner()
  await addMany(house, owner, 510)
  const tried = async (maker: Person, between: (key: { id: string }) => Promise<unknown>, more = {}) => {
    await house.db.updateTable('sim').set({ state: 'inactive' }).where('account_id', '=', owner.account_id).execute()
    const key = await newKey(house, maker, rights, more)
    return change(owner, key as unknown as Asker, () => between(key))
  }
  const scopeless = ({ id }: { id: string }) =>
    house.db
      .updateTable('api_key')
      .set({ scopes: ['assets.view'] })
      .where('id', '=', id)
      .execute()
  const in1h = new Date(house.clock.now().getTime() + 3_600_000).toISOString()
  expect(await tried(owner, async () => {})).toMatchObject(finished)
  expect(await tried(owner, ({ id }) => owner.call(disableApiKey, { params: { api_key_id: id } }))).toMatchObject(stopped)
  expect(await tried(owner, scopeless)).toMatchObject(stopped)
  expect(await tried(owner, async () => house.clock.advance({ hours: 1 }), { expires_at: in1h })).toMatchObject(stopped)
  // The secret it was asked for with is worth nothing any more.
  const rotate = ({ id }: { id: string }) => owner.call(rotateApiKey, { params: { api_key_id: id }, body: { overlap_hours: 0 } })
  expect(await tried(owner, rotate)).toMatchObject(stopped)
  const member = await house.newMember(owner, [...rights, 'developers.view', 'developers.edit'])
  expect(await tried(member, () => setMember(owner, { permissions: ['assets.view'] }))).toMatchObject(stopped)
})

test('a change that may do nothing at all is reported, too', async () => {
  const owner = await house.newOwner()
  await addMany(house, owner, 510)
  const member = await house.newMember(owner, rights)
  const { id } = (await member.call(bulk.startBulkChange, { body: work })).body
  await setMember(owner, { permissions: [] })
  await doPart(owner, id, 0)
  expect(await house.events(owner.account_id)).toMatchObject([{ name: 'assets.assets_changed', detail: { changed: 0, left: 510 } }])
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset, addSession, list, type Query } from '../test-stock.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const names = async (person: Person, query: Query = {}) => (await list(person, query)).items.map((asset) => asset.name)

let numbered = 0

test.each(['type', 'sim_status', 'serial', 'tags', 'network_group', 'imsi', 'msisdn', 'imei', 'eid', 'ip'])(
  'every asset is met once in the order of %s, page by page, and the other way round',
  async (sort) => {
    const ada = await house.newOwner()
    const [cold, dry] = [
      (await ada.call(createTag, { body: { name: 'Cold' } })).body.id,
      (await ada.call(createTag, { body: { name: 'Dry' } })).body.id,
    ]
    const a = await addAsset(house, ada, { name: 'a', type: 'picolte', tags: [dry] })
    const b = await addAsset(house, ada, { name: 'b', type: 'core', tags: [dry, cold] })
    await addAsset(house, ada, { name: 'c', type: 'core', iccid: null })
    await addAsset(house, ada, { name: 'd', type: 'alpon_x4' })
    // The other two have no such numbers.
    await sql`delete from sim_imsi where account_id = ${ada.account_id}`.execute(house.db)
    await house.db.updateTable('sim').set({ msisdn: null, imei: null, eid: null }).where('account_id', '=', ada.account_id).execute()
    await addSession(house, b, ada.account_id, { ip: '10.0.0.9' })
    await addSession(house, a, ada.account_id, { ip: '10.0.0.10' })
    for (const { sim } of [b, a]) {
      const number = String(++numbered).padStart(10, '0')
      await house.db
        .updateTable('sim')
        .set({ msisdn: `49${number}`, imei: `35000${number}`, eid: `8904903200000000000000${number}` })
        .where('id', '=', sim!.id)
        .execute()
      await house.db
        .insertInto('sim_imsi')
        .values({ account_id: ada.account_id, sim_id: sim!.id, imsi: `99901${number}` })
        .execute()
    }
    await house.db.updateTable('sim').set({ group_id: 'default_10gb' }).where('id', '=', b.sim!.id).execute()
    const whole = await names(ada, { sort })
    expect(whole.toSorted()).toEqual(['a', 'b', 'c', 'd'])
    expect(await names(ada, { sort: `-${sort}` })).toEqual(whole.toReversed())
    const met: string[] = []
    for (let after: string | null = null; met.length < 4;) {
      const page = await list(ada, { sort, page_size: '1', ...(after && { after }) })
      met.push(...page.items.map(({ name }) => name))
      after = page.next
    }
    expect(met).toEqual(whole)
    if (sort === 'tags') expect(whole.slice(0, 2)).toEqual(['b', 'a'])
    if (['imsi', 'msisdn', 'imei', 'eid', 'ip'].includes(sort)) expect(whole.slice(0, 2)).toEqual(['b', 'a'])
    // 10 GB comes before Default, and an asset without a SIM last.
    if (sort === 'network_group') expect([whole[0], whole[3]]).toEqual(['b', 'c'])
    if (sort === 'type') expect(whole).toEqual(['d', 'b', 'c', 'a'])
    expect(await names(ada, { sort, search: 'a' })).toEqual(['a'])
  }
)

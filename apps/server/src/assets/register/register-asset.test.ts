import { expect, test } from 'vitest'
import { luhnDigit } from '@masthead/contract/assets/iccid'
import { getAsset, listAssets, registerAsset } from '@masthead/contract/assets/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse } from '@masthead/testkit/house'
import { addAsset, addStock } from '../test-stock.ts'

test('stock becomes an asset of the account, its SIM ready', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const { serial, iccid } = await addStock(house)
  const { status, body } = await ada.call(registerAsset, { body: { token: serial } })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    serial,
    type: 'alpon_x4',
    name: `ALPON X4 ${serial.slice(-6)}`,
    online: false,
    last_seen_at: null,
    tags: [],
  })
  expect(body.sim).toMatchObject({
    iccid,
    state: 'ready',
    status: 'ready',
    blocks: [],
    state_changed_by: ada.email,
    activated_at: null,
    session: null,
  })
  expect(body.sims).toBeUndefined()
  expect((await ada.call(listAssets)).body).toMatchObject({ items: [{ id: body.id }], total: 1, total_capped: false, next: null })
  expect(await house.events(ada.account_id)).toMatchObject([
    { name: 'assets.asset_registered', actor_email: ada.email, detail: { asset_id: body.id, asset_name: body.name, serial } },
  ])
})

test('a serial number is taken with blanks and in any case, an ICCID with and without its check digit', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const spelled: ((stock: { serial: string; iccid: string | null }) => string)[] = [
    ({ serial }) => ` ${serial}\n`,
    ({ serial }) => serial.toLowerCase(),
    ({ iccid }) => iccid!,
    ({ iccid }) => iccid!.slice(0, -1),
    ({ iccid }) => iccid!.replaceAll(/(.{4})/g, '$1 '),
  ]
  for (const spell of spelled) {
    const stock = await addStock(house)
    expect(await ada.call(registerAsset, { body: { token: spell(stock) } })).toMatchObject({ status: 200, body: { serial: stock.serial } })
  }
})

test('an ICCID kept without its check digit is found with it', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const { serial } = await addStock(house, { iccid: '894450000099000007' })
  expect(await ada.call(registerAsset, { body: { token: '8944500000990000070' } })).toMatchObject({ status: 404 })
  const token = `894450000099000007${luhnDigit('894450000099000007')}`
  expect(await ada.call(registerAsset, { body: { token } })).toMatchObject({ status: 200, body: { serial } })
})

test('it gets the name and tags that were given', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const { id } = (await ada.call(createTag, { body: { name: 'Cold chain' } })).body
  const { serial } = await addStock(house)
  const { body } = await ada.call(registerAsset, { body: { token: serial, name: ' Truck 7 ', tags: ['COLD CHAIN', id] } })
  expect(body).toMatchObject({ name: 'Truck 7', tags: [{ id, name: 'Cold chain' }] })
  expect((await house.events(ada.account_id)).map((event) => event.name)).toEqual([
    'tags.tag_created',
    'assets.asset_registered',
    'tags.tag_assigned',
  ])
})

test('what cannot be registered says why, and writes nothing', async () => {
  await using house = await openHouse()
  const [ada, bob] = [await house.newOwner(), await house.newOwner()]
  const mine = await addAsset(house, ada)
  const theirs = await addAsset(house, bob)
  const reserved = await addStock(house, { released_at: null })
  const free = await addStock(house)
  const before = await house.events(ada.account_id)
  const answer = async (body: { token: string; name?: string; tags?: string[] }) => {
    const {
      status,
      body: { code, detail },
    } = await ada.call(registerAsset, { body })
    return { status, code, detail }
  }
  expect(await answer({ token: 'NOT-THERE-1' })).toMatchObject({ status: 404, code: 'asset_unknown' })
  expect(await answer({ token: mine.serial })).toMatchObject({ status: 409, code: 'asset_already_yours' })
  expect(await answer({ token: reserved.serial })).toMatchObject({ status: 409, code: 'asset_reserved' })
  expect(await answer({ token: free.serial, tags: ['nowhere'] })).toMatchObject({
    status: 400,
    code: 'tag_unknown',
    detail: 'There is no tag "nowhere"',
  })
  expect(await answer({ token: 'ab' })).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(await answer({ token: free.serial, name: ' ' })).toMatchObject({ status: 400, code: 'invalid_request' })
  const taken = await answer({ token: theirs.serial })
  expect(taken).toMatchObject({ status: 409, code: 'asset_taken' })
  expect(JSON.stringify(taken)).not.toContain(bob.email)
  expect(await house.events(ada.account_id)).toEqual(before)
  expect((await ada.call(listAssets)).body.total).toBe(1)
  // The refused one is still free, and the reserved one is when it was released.
  await house.db.updateTable('inventory').set({ released_at: house.clock.now() }).where('serial', '=', reserved.serial).execute()
  expect((await answer({ token: reserved.serial })).status).toBe(200)
  expect((await answer({ token: free.serial })).status).toBe(200)
})

test('of many who register the same at once, exactly one wins', async () => {
  await using house = await openHouse()
  const people = await Promise.all(Array.from({ length: 5 }, () => house.newOwner()))
  const { serial, iccid } = await addStock(house)
  const answers = await Promise.all(
    people.flatMap((person) =>
      [serial, iccid!].map((token) =>
        person.call(registerAsset, { body: { token } }).then(({ status, body }) => ({ person, status, code: body.code }))
      )
    )
  )
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  for (const { person, status, code } of answers.filter((answer) => answer !== won[0])) {
    expect([status, code]).toEqual([409, person === won[0]!.person ? 'asset_already_yours' : 'asset_taken'])
  }
  const { count } = await house.db
    .selectFrom('asset')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(1)
})

test('an asset without a SIM can be registered', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const { id } = await addAsset(house, ada, { iccid: null, type: 'core' })
  const { body } = await ada.call(getAsset, { params: { asset_id: id } })
  expect(body).toMatchObject({ sim: null, name: expect.stringMatching(/^CORE Device \d/) })
  expect(body.sims).toBeUndefined()
  expect((await ada.call(listAssets, { query: { search: 'core device' } })).body.total).toBe(1)
})

test('registering needs its permission', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const { serial } = await addStock(house)
  const viewer = await house.newMember(ada, ['assets.view', 'assets.edit'])
  expect(await viewer.call(registerAsset, { body: { token: serial } })).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})

test('a member limited by tags registers with one of theirs', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const [cold, warm] = [await ada.call(createTag, { body: { name: 'cold' } }), await ada.call(createTag, { body: { name: 'warm' } })].map(
    (answer) => answer.body.id
  )
  const member = await house.newMember(ada, ['assets.view', 'assets.register'], [cold!])
  const { serial } = await addStock(house)
  expect(await member.call(registerAsset, { body: { token: serial } })).toMatchObject({
    status: 400,
    body: { fields: { tags: expect.any(String) } },
  })
  expect(await member.call(registerAsset, { body: { token: serial, tags: [warm!] } })).toMatchObject({
    status: 400,
    body: { code: 'tag_unknown' },
  })
  expect(await member.call(registerAsset, { body: { token: serial, tags: [cold!] } })).toMatchObject({
    status: 200,
    body: { tags: [{ id: cold }] },
  })
})

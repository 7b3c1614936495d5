import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateAccount } from '@masthead/contract/account/details-operations'
import { getAccount } from '@masthead/contract/account/operations'
import { endOtherSessions, getSecurity, listSessions, prove, removeSession } from '@masthead/contract/account/security-operations'
import { getUserInfo, switchAccount } from '@masthead/contract/auth/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { mailTo, newPerson, password, signIn, withCookies, type TestPerson } from './test-person.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0' }
const elsewhere = async (person: TestPerson) => withCookies(house, person, await signIn(house, person.email, password, firefox))
const list = async (person: TestPerson) => (await person.call(listSessions)).body.items

test('sessions are listed with their device, this one first', async () => {
  const person = await newPerson(house)
  house.clock.advance({ minutes: 5 })
  await elsewhere(person)
  const items = await list(person)
  expect(items.map(({ device, this_one, ip }) => ({ device, this_one, ip }))).toEqual([
    { device: 'An unknown program', this_one: true, ip: null },
    { device: 'Firefox on Linux', this_one: false, ip: '127.0.0.1' },
  ])
  expect(JSON.stringify(items)).not.toMatch(/hash|Gecko/)
})

test('a session can be signed out from another, and nobody else’s', async () => {
  const [person, stranger] = [await newPerson(house), await newPerson(house)]
  const other = await elsewhere(person)
  const { id } = (await list(person)).find(({ this_one }) => !this_one)!
  expect(await stranger.call(removeSession, { params: { session_id: id } })).toMatchObject({ status: 404 })
  expect((await person.call(removeSession, { params: { session_id: id } })).status).toBe(200)
  expect((await other.call(getUserInfo)).status).toBe(401)
  expect(await person.call(removeSession, { params: { session_id: id } })).toMatchObject({ status: 404 })
  expect((await house.events(person.account_id)).at(-1)).toMatchObject({
    name: 'auth.session_ended',
    detail: { device: 'Firefox on Linux' },
  })
})

test('signing out everywhere else leaves this one alone, and is an event', async () => {
  const person = await newPerson(house)
  const others = [await elsewhere(person), await elsewhere(person)]
  expect((await person.call(endOtherSessions)).body).toEqual({ ended: 2 })
  for (const other of others) expect((await other.call(getUserInfo)).status).toBe(401)
  expect(await list(person)).toHaveLength(1)
  expect((await mailTo(house, person.email)).at(-1)!.text).toContain('signed out everywhere else')
  expect((await person.call(endOtherSessions)).body).toEqual({ ended: 0 })
  expect(await house.events(person.account_id)).toHaveLength(1)
})

test('ending other sessions takes a proof of the last quarter of an hour; ending this one takes none', async () => {
  const person = await newPerson(house)
  const other = await elsewhere(person)
  const end = async () => {
    const found = (await list(person)).find(({ this_one }) => !this_one)!
    return person.call(removeSession, { params: { session_id: found.id } })
  }
  const needed = { status: 403, body: { code: 'proof_needed' } }
  // A person in a hurry has just signed in.
  house.clock.advance({ minutes: 14 })
  expect(Date.parse((await person.call(getSecurity)).body.proved_until!) - house.clock.now().getTime()).toBe(60_000)
  expect((await end()).status).toBe(200)
  await elsewhere(person)
  house.clock.advance({ minutes: 1 })
  expect(await end()).toMatchObject(needed)
  expect(await person.call(endOtherSessions)).toMatchObject(needed)
  expect((await person.call(getSecurity)).body.proved_until).toBeNull()
  expect(await person.call(prove, { body: { password: 'wrong' } })).toMatchObject({ status: 400, body: { code: 'credentials_wrong' } })
  expect(await person.call(endOtherSessions)).toMatchObject(needed)
  const { proved_until } = (await person.call(prove, { body: { password } })).body
  expect(Date.parse(proved_until) - house.clock.now().getTime()).toBe(15 * 60_000)
  expect((await end()).status).toBe(200)
  // A proof in one browser is none in another.
  const third = await elsewhere(person)
  house.clock.advance({ minutes: 15 })
  await person.call(prove, { body: { password } })
  expect(await third.call(endOtherSessions)).toMatchObject(needed)
  const own = (await list(third)).find(({ this_one }) => this_one)!
  expect((await third.call(removeSession, { params: { session_id: own.id } })).status).toBe(200)
  expect((await other.call(getUserInfo)).status).toBe(401)
})

test('what a member does with their sign-in is an event on their own account, not on the team’s', async () => {
  const owner = await house.newOwner()
  const person = await newPerson(house)
  await house.db.insertInto('membership').values({ account_id: owner.account_id, person_id: person.person_id, permissions: [] }).execute()
  await person.call(switchAccount, { body: { team_member_email: owner.email } })
  await elsewhere(person)
  await person.call(endOtherSessions)
  expect(await house.events(owner.account_id)).toEqual([])
  expect((await house.events(person.account_id)).map(({ name }) => name)).toEqual(['auth.sessions_ended'])
})

test('team name and time zone change with the permission, and only what changed is an event', async () => {
  const owner = await house.newOwner('Acme')
  const change = (body: object) => owner.call(updateAccount, { body })
  expect((await change({ team_name: ' Acme Telemetry ' })).status).toBe(200)
  await change({ team_name: 'Acme Telemetry', timezone: 'UTC' })
  await change({ timezone: 'Europe/Istanbul' })
  expect((await owner.call(getAccount)).body).toMatchObject({ team_name: 'Acme Telemetry', timezone: 'Europe/Istanbul' })
  expect(await change({ timezone: 'Mars/Olympus' })).toMatchObject({ status: 400, body: { fields: { timezone: expect.any(String) } } })
  expect(await change({ team_name: ' ' })).toMatchObject({ status: 400, body: { fields: { team_name: expect.any(String) } } })
  const viewer = await house.newMember(owner, ['profile.view'])
  expect(await viewer.call(updateAccount, { body: { team_name: 'Mine' } })).toMatchObject({ status: 403 })
  expect((await house.events(owner.account_id)).map(({ detail }) => detail)).toEqual([
    { old_name: 'Acme', new_name: 'Acme Telemetry', timezone: 'UTC' },
    { old_name: 'Acme Telemetry', new_name: 'Acme Telemetry', timezone: 'Europe/Istanbul' },
  ])
})

test('what a session has open ends with it, and what others have open does not', async () => {
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const watch = async ({ cookie }: { cookie: string }) => {
    const answer = await fetch(`${address}/v1/live`, { headers: { cookie } })
    let open = true
    const ended = answer.text().finally(() => (open = false))
    return { ended, isOpen: () => open }
  }
  const person = await newPerson(house)
  const [first, second] = [await elsewhere(person), await elsewhere(person)]
  const [mine, firsts, seconds] = [await watch(person), await watch(first), await watch(second)]
  const id = (await first.call(listSessions)).body.items[0]!.id
  await person.call(removeSession, { params: { session_id: id } })
  await firsts.ended
  expect([mine.isOpen(), seconds.isOpen()]).toEqual([true, true])
  await person.call(endOtherSessions)
  await seconds.ended
  expect(mine.isOpen()).toBe(true)
})

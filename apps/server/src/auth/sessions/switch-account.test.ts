import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { getUserInfo, switchAccount } from '@masthead/contract/auth/operations'
import { removeMember } from '@masthead/contract/teams/operations'
import { openHouse, type House } from '@masthead/testkit/house'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const whoIs = (cookie: string) => house.anyone.call(getUserInfo, {}, { cookie })
const switchWith = (cookie: string, team_member_email: string, headers = {}) =>
  house.anyone.call(switchAccount, { body: { team_member_email } }, { cookie, ...headers })
const given = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers['set-cookie']]
    .flat()
    .map((text) => String(text).split(';')[0]!)
    .find((text) => text.startsWith('masthead_session='))

test('a switch gives the session another secret; the one before counts for what is on its way, then no more', async () => {
  const owner = await house.newOwner()
  const member = await house.newVisit(await house.newMember(owner, ['assets.view']))
  const fresh = given(await switchWith(member.cookie, owner.email))!
  expect(fresh).toBeDefined()
  expect(fresh).not.toBe(member.cookie)
  for (const cookie of [fresh, member.cookie]) expect((await whoIs(cookie)).body.acting_as).toBe(owner.email)
  house.clock.advance({ seconds: 31 })
  expect((await whoIs(member.cookie)).status).toBe(401)
  expect((await whoIs(fresh)).status).toBe(200)
})

test('who lost the answer and asks again gets a secret too', async () => {
  const owner = await house.newOwner()
  const member = await house.newVisit(await house.newMember(owner, ['assets.view']))
  const key = { 'idempotency-key': 'lost' }
  await switchWith(member.cookie, owner.email, key)
  const again = await switchWith(member.cookie, owner.email, key)
  house.clock.advance({ seconds: 31 })
  expect((await whoIs(given(again)!)).body.acting_as).toBe(owner.email)
})

test('a refused switch changes nothing, and one’s own account is always open', async () => {
  const [owner, stranger] = [await house.newOwner(), await house.newOwner()]
  const refused = await switchWith(stranger.cookie, owner.email)
  expect([refused.status, given(refused)]).toEqual([403, undefined])
  house.clock.advance({ seconds: 31 })
  expect((await switchWith(stranger.cookie, stranger.email.toUpperCase())).status).toBe(200)
})

test('a suspended team can be switched to and left: its members see that it is suspended', async () => {
  const owner = await house.newOwner()
  const member = await house.newVisit(await house.newMember(owner, []))
  const suspension = { suspended_at: house.clock.now(), suspended_reason: 'unpaid' }
  await house.db.updateTable('account').set(suspension).where('id', '=', owner.account_id).execute()
  expect((await switchWith(member.cookie, owner.email)).status).toBe(200)
  expect((await member.call(getAccount)).body).toMatchObject({ id: owner.account_id, suspended: true })
  expect((await switchWith(member.cookie, member.email)).status).toBe(200)
  expect((await member.call(getAccount)).body).toMatchObject({ email: member.email, suspended: false })
})

test('switching while one is removed ends at home, whichever comes first', async () => {
  for (let i = 0; i < 8; i++) {
    const owner = await house.newOwner()
    const member = await house.newVisit(await house.newMember(owner, ['assets.view']))
    const [switched, removed] = await Promise.all([
      switchWith(member.cookie, owner.email),
      owner.call(removeMember, { params: { member_email: member.email } }),
    ])
    expect(removed.status).toBe(200)
    expect([200, 403]).toContain(switched.status)
    const left = await house.db.selectFrom('session').select('id').where('acting_as', '=', owner.account_id).execute()
    expect(left).toEqual([])
    expect((await whoIs(member.cookie)).body.acting_as).toBeNull()
  }
})

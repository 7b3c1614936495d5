import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { getUserInfo, switchAccount } from '@masthead/contract/auth/operations'
import { newId } from '@masthead/contract/kernel/id'
import { openHouse, type House, type Person } from '@masthead/testkit/house'

let house: House
let owner: Person
let member: Person
let memberOwnAccount: string
const tagIds = { zebra: newId('tag'), Apple: newId('tag'), elsewhere: newId('tag') }

beforeAll(async () => {
  house = await openHouse()
  owner = await house.newOwner('Acme')
  const other = await house.newOwner('Other')
  const tags = [
    { account_id: owner.account_id, id: tagIds.zebra, name: 'zebra', color: 'teal' },
    { account_id: owner.account_id, id: tagIds.Apple, name: 'Apple', color: 'teal' },
    { account_id: other.account_id, id: tagIds.elsewhere, name: 'elsewhere', color: 'teal' },
  ]
  await house.db.insertInto('tag').values(tags).execute()
  member = await house.newMember(owner, ['assets.view'], [tagIds.zebra, tagIds.Apple, tagIds.elsewhere])
  const { account_id } = await house.db
    .selectFrom('person')
    .select('account_id')
    .where('email', '=', member.email)
    .executeTakeFirstOrThrow()
  memberOwnAccount = account_id
})
afterAll(() => house[Symbol.asyncDispose]())

const switchTo = (person: Person, team_member_email: string, headers = {}) =>
  person.call(switchAccount, { body: { team_member_email } }, headers)

test('an owner sees their team, with tags by name', async () => {
  expect((await owner.call(getUserInfo)).body).toEqual({
    email: owner.email,
    team_name: 'Acme',
    groups: [],
    permissions: [],
    acting_as: null,
    member_of: [],
    pending_invitations_from: [],
    team_members: [{ email: member.email, permissions: ['assets.view'], tags: ['Apple', 'zebra'] }],
  })
})

test('a member acting for an owner stays themselves, with what they may there', async () => {
  expect((await member.call(getUserInfo)).body).toMatchObject({
    email: member.email,
    team_name: 'member',
    permissions: [],
    acting_as: owner.email,
    member_of: [{ email: owner.email, team_name: 'Acme', permissions: ['assets.view'] }],
    team_members: [],
  })
  expect((await member.call(getAccount)).body).toMatchObject({ id: owner.account_id, email: owner.email, team_name: 'Acme' })
})

test('invitations show until they end', async () => {
  const invitee = await house.newOwner('invitee')
  const invitation = (account_id: string, hours: number) => ({
    account_id,
    email: invitee.email,
    permissions: ['assets.view'],
    invited_by: 'x',
    expires_at: new Date(house.clock.now().getTime() + hours * 3_600_000),
  })
  const late = await house.newOwner('Late')
  await house.db
    .insertInto('invitation')
    .values([invitation(owner.account_id, 1), invitation(late.account_id, -1)])
    .execute()
  expect((await invitee.call(getUserInfo)).body.pending_invitations_from).toEqual([{ email: owner.email, team_name: 'Acme' }])
})

test('switching goes to an owner and back, in this session alone', async () => {
  const { secret } = await house.db.transaction().execute(async (tx) => {
    const { openSession } = await import('./sessions/session.ts')
    const { id } = await tx.selectFrom('person').select('id').where('email', '=', member.email).executeTakeFirstOrThrow()
    return openSession(tx, { person_id: id, acting_as: null, at: house.clock.now(), days: 1, ip: null, user_agent: null })
  })
  const elsewhere = { cookie: `masthead_session=${secret}` }
  expect((await switchTo(member, member.email)).status).toBe(200)
  expect((await member.call(getAccount)).body.id).toBe(memberOwnAccount)
  expect((await switchTo(member, owner.email.toUpperCase(), elsewhere)).status).toBe(200)
  expect((await house.anyone.call(getUserInfo, {}, elsewhere)).body.acting_as).toBe(owner.email)
  expect((await member.call(getUserInfo)).body.acting_as).toBeNull()
  expect((await switchTo(member, owner.email)).status).toBe(200)
  expect((await member.call(getAccount)).body.id).toBe(owner.account_id)
})

test('nobody acts for an owner who has not made them a member', async () => {
  const stranger = await house.newOwner()
  for (const email of [owner.email, 'nobody@example.test']) {
    expect(await switchTo(stranger, email)).toMatchObject({ status: 403, body: { code: 'not_a_member' } })
  }
  expect((await stranger.call(getUserInfo)).body.acting_as).toBeNull()
})

test('a membership that ends takes the person back to their own account at once', async () => {
  const short = await house.newMember(owner, ['assets.view'])
  expect((await short.call(getAccount)).body.id).toBe(owner.account_id)
  const { id } = await house.db.selectFrom('person').select('id').where('email', '=', short.email).executeTakeFirstOrThrow()
  await house.db.deleteFrom('membership').where('person_id', '=', id).execute()
  expect((await short.call(getUserInfo)).body).toMatchObject({ acting_as: null, member_of: [] })
  expect((await short.call(getAccount)).body.email).toBe(short.email)
})

test('a repeated switch with its key answers the same; with another e-mail it is refused', async () => {
  const key = { 'idempotency-key': 'switch-1' }
  expect((await switchTo(member, owner.email, key)).status).toBe(200)
  expect((await switchTo(member, owner.email, key)).status).toBe(200)
  expect(await switchTo(member, member.email, key)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  expect((await member.call(getUserInfo)).body.acting_as).toBe(owner.email)
})

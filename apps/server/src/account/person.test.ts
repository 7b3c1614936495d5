import { afterAll, beforeAll, expect, test } from 'vitest'
import { updatePerson } from '@masthead/contract/account/details-operations'
import { getSecurity } from '@masthead/contract/account/security-operations'
import { listActivities } from '@masthead/contract/activities/operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { getTeam } from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addInvitation } from '../teams/test-teams.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const rename = (person: Person, name: unknown) => person.call(updatePerson, { body: { name: name as string | null } })
const nameOf = async (person: Person) => (await person.call(getSecurity)).body.name
const told = async (account_id: string) => (await house.events(account_id)).map(({ name, detail }) => [name, detail])

test('a person says what they are called, changes it and takes it away; what changed is an event, and nothing else', async () => {
  const person = await house.newOwner()
  expect(await nameOf(person)).toBeNull()
  expect((await rename(person, '  Ada Kent\u200b ')).body).toEqual({ name: 'Ada Kent' })
  expect(await nameOf(person)).toBe('Ada Kent')
  await rename(person, 'Ada Kent')
  await rename(person, 'Ada K. Kent')
  // What nobody sees is no name.
  expect((await rename(person, ' \u200d\ufeff')).body).toEqual({ name: null })
  await rename(person, null)
  await rename(person, '')
  expect(await nameOf(person)).toBeNull()
  expect(await told(person.account_id)).toEqual([
    ['auth.name_changed', { old_name: null, new_name: 'Ada Kent' }],
    ['auth.name_changed', { old_name: 'Ada Kent', new_name: 'Ada K. Kent' }],
    ['auth.name_changed', { old_name: 'Ada K. Kent', new_name: null }],
  ])
  const { items } = (await person.call(listActivities)).body
  expect(items.map(({ sentence }) => sentence)).toEqual([
    'Removed their name Ada K. Kent',
    'Changed their name from Ada Kent to Ada K. Kent',
    'Set their name to Ada Kent',
  ])
})

test('a name is one line of at most 120 characters, or none', async () => {
  const person = await house.newOwner()
  expect((await rename(person, 'x'.repeat(120))).status).toBe(200)
  for (const name of ['x'.repeat(121), 'Ada\nKent', 7, undefined])
    expect(await rename(person, name)).toMatchObject({ status: 400, body: { fields: { name: expect.any(String) } } })
  expect(await nameOf(person)).toBe('x'.repeat(120))
})

test('the team shows the names of its people to whoever sees it, and never whose an invited address is', async () => {
  const owner = await house.newOwner()
  const member = await house.newMember(owner, ['profile.view'])
  const unnamed = await house.newMember(owner, [])
  const invited = await house.newOwner()
  await rename(owner, 'Ada Kent')
  await rename(invited, 'Zelda Secret')
  // While they act on the team: it is their own name, an event on their own account.
  await rename(member, 'Bo Quist')
  await addInvitation(house, owner, invited.email)
  const answer = await member.call(getTeam)
  expect(answer.body.owner).toMatchObject({ email: owner.email, name: 'Ada Kent' })
  expect(Object.fromEntries(answer.body.members.map(({ email, name }) => [email, name]))).toEqual({
    [member.email]: 'Bo Quist',
    [unnamed.email]: null,
  })
  expect(answer.body.invitations.map(({ email }) => email)).toEqual([invited.email])
  expect(answer.text).not.toContain('Zelda')
  expect(await told(owner.account_id)).toEqual([['auth.name_changed', { old_name: null, new_name: 'Ada Kent' }]])
  // The specification fixes what is said of the session.
  expect((await owner.call(getUserInfo)).text).not.toContain('Ada Kent')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeEmail, confirmEmail } from '@masthead/contract/account/security-operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { approveInvitation, deleteInvitation, getTeam, rejectInvitation } from '@masthead/contract/teams/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newPerson, password, tokenIn, type TestPerson } from '../../account/test-person.ts'
import { addInvitation } from '../test-teams.ts'

let house: House
let mailing: House
beforeAll(async () => {
  house = await openHouse()
  mailing = await openHouse({ config: { smtpUrl: 'smtp://127.0.0.1:1' } })
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await mailing[Symbol.asyncDispose]()
})

let count = 0
/** Changes somebody's address; answers the new one. */
async function move(where: House, person: TestPerson, to = `followed-${++count}@example.test`): Promise<string> {
  await person.call(changeEmail, { body: { email: to, password } })
  const { status } = await where.anyone.call(confirmEmail, { body: { token: await tokenIn(where, to) } })
  expect(status).toBe(200)
  return to
}
const invitersOf = async (person: TestPerson) =>
  (await person.call(getUserInfo)).body.pending_invitations_from.map(({ email }: { email: string }) => email)

test('pending invitations follow whoever changes their e-mail, and both sides can still answer them', async () => {
  const [first, second, person] = [await house.newOwner('first'), await house.newOwner('second'), await newPerson(house)]
  for (const owner of [first, second]) await addInvitation(house, owner, person.email, ['assets.view'])
  const to = await move(house, person)
  expect((await invitersOf(person)).toSorted()).toEqual([first.email, second.email].toSorted())
  expect((await house.events(first.account_id)).at(-1)).toEqual({
    name: 'teams.invitation_moved',
    actor_email: to,
    detail: { old_email: person.email, new_email: to },
  })
  expect((await person.call(approveInvitation, { body: { inviter_email: first.email } })).status).toBe(200)
  expect((await second.call(deleteInvitation, { params: { invited_email: to } })).status).toBe(200)
  // Whoever has the old address next finds nothing.
  const next = await newPerson(house)
  await house.db.updateTable('person').set({ email: person.email }).where('id', '=', next.person_id).execute()
  expect(await invitersOf(next)).toEqual([])
})

test('an invitation that waits at the new address already stays as it is', async () => {
  const [owner, person] = [await house.newOwner(), await newPerson(house)]
  const to = `followed-${++count}@example.test`
  await addInvitation(house, owner, person.email, ['assets.view'])
  await addInvitation(house, owner, to, ['usage.view'])
  await move(house, person, to)
  expect((await person.call(approveInvitation, { body: { inviter_email: owner.email } })).body).toMatchObject({
    permissions: ['usage.view'],
  })
  expect(await house.db.selectFrom('invitation').select('email').where('account_id', '=', owner.account_id).execute()).toEqual([])
})

test('where mail is sent, an address that was never proven takes no invitations along', async () => {
  const [owner, thief, person] = [await mailing.newOwner(), await newPerson(mailing), await newPerson(mailing)]
  for (const { email } of [thief, person]) await addInvitation(mailing, owner, email, ['assets.view'])
  await mailing.db.updateTable('person').set({ email_proven_at: null, email_proven_by: null }).where('id', '=', thief.person_id).execute()
  for (const each of [thief, person]) await move(mailing, each)
  expect(await invitersOf(thief)).toEqual([])
  expect(await thief.call(approveInvitation, { body: { inviter_email: owner.email } })).toMatchObject({ status: 404 })
  expect((await person.call(approveInvitation, { body: { inviter_email: owner.email } })).status).toBe(200)
})

test('who owns the team or is in it already joins no second time by an invitation that waited at their new address', async () => {
  const [owner, member] = [await newPerson(house), await newPerson(house)]
  const membership = { account_id: owner.account_id, person_id: member.person_id, permissions: ['assets.view'] }
  await house.db.insertInto('membership').values(membership).execute()
  for (const person of [member, owner]) {
    const to = `followed-${++count}@example.test`
    await addInvitation(house, owner, to, ['usage.view'])
    await move(house, person, to)
  }
  const inviter_email = (await owner.call(getUserInfo)).body.email
  for (const person of [member, owner]) {
    expect(await person.call(approveInvitation, { body: { inviter_email } })).toMatchObject({
      status: 409,
      body: { code: 'already_member' },
    })
    expect((await person.call(rejectInvitation, { body: { inviter_email } })).status).toBe(200)
  }
  expect((await owner.call(getTeam)).body).toMatchObject({ members: [{ permissions: ['assets.view'] }], invitations: [] })
})

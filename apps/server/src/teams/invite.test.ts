import { afterAll, beforeAll, expect, test } from 'vitest'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { register } from '@masthead/contract/auth/sign-in-operations'
import { permissions } from '@masthead/contract/kernel/permission'
import { createTag } from '@masthead/contract/tags/operations'
import * as teams from '@masthead/contract/teams/operations'
import { mostMembers } from '@masthead/contract/teams/team'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addInvitation } from './test-teams.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const invite = (by: Person, email: string, granted: readonly string[] = ['assets.view'], tags: string[] | null = []) =>
  by.call(teams.updateInvitation, { body: { email, permissions: granted as never, ...(tags && { tags }) } })
const namesOf = async ({ account_id }: Person) => (await house.events(account_id)).map(({ name }) => name)
const teamOf = async (person: Person) => (await person.call(teams.getTeam)).body

test('an invitation is mailed, shown to both sides and an event on both accounts', async () => {
  const [owner, bob] = [await house.newOwner('Acme'), await house.newOwner('Bob')]
  const answer = await invite(owner, ` ${bob.email.toUpperCase()} `, ['usage.view', 'assets.view', 'assets.view'])
  expect(answer).toMatchObject({
    status: 200,
    body: { email: bob.email, state: 'invited', permissions: ['assets.view', 'usage.view'], tags: [] },
  })
  const [mail] = await house.mails(bob.email)
  expect(mail!.subject).toBe(`${owner.email} invites you to the team Acme`)
  expect(mail!.text).toContain(permissions['assets.view'])
  expect(mail!.text).toContain('/#/notifications?tab=invitations')
  expect(mail!.text).toContain(`email=${encodeURIComponent(bob.email)}`)
  expect((await teamOf(owner)).invitations).toMatchObject([
    { email: bob.email, permissions: ['assets.view', 'usage.view'], limited: false, invited_by: owner.email, expired: false, fixed: null },
  ])
  expect((await bob.call(getUserInfo)).body.pending_invitations_from).toEqual([{ email: owner.email, team_name: 'Acme' }])
  expect((await bob.call(teams.listInvitations)).body.items).toMatchObject([{ email: owner.email, team_name: 'Acme', limited: false }])
  expect(await house.events(owner.account_id)).toMatchObject([
    { name: 'teams.member_invited', actor_email: owner.email, detail: { added_member: bob.email, tags: null } },
  ])
  await house.settle()
  expect(await house.events(bob.account_id)).toMatchObject([{ name: 'teams.invitation_received', detail: { team_name: 'Acme' } }])
})

test('whether an invited address has an account is not shown, and it can open one and find the invitation', async () => {
  const owner = await house.newOwner('Acme')
  const known = await house.newOwner()
  const [first, second] = [await invite(owner, known.email), await invite(owner, 'Late.Comer@example.test')]
  expect({ ...second.body, email: '' }).toEqual({ ...first.body, email: '' })
  const body = { email: 'LATE.comer@example.test', password: 'correct horse battery', team_name: 'Late' }
  const answer = await house.anyone.call(register, { body })
  const cookie = [answer.headers['set-cookie']]
    .flat()
    .map((text) => String(text).split(';')[0])
    .join('; ')
  const info = await house.anyone.call(getUserInfo, {}, { cookie })
  expect(info.body.pending_invitations_from).toEqual([{ email: owner.email, team_name: 'Acme' }])
  // That the address is theirs they have to show first.
  const accept = (more = {}) => house.anyone.call(teams.approveInvitation, { body: { inviter_email: owner.email, ...more } }, { cookie })
  expect(await accept()).toMatchObject({ status: 403, body: { code: 'email_not_verified' } })
  const { url } = (await owner.call(teams.makeInvitationLink, { body: { email: body.email } })).body
  expect((await accept({ proof: url.split('proof=')[1] })).status).toBe(200)
})

test('inviting again replaces what is offered, mails nobody twice, and says nothing when nothing changes', async () => {
  const owner = await house.newOwner()
  const email = 'again@example.test'
  for (const granted of [['assets.view'], ['assets.view'], ['usage.view']]) await invite(owner, email, granted)
  expect((await teamOf(owner)).invitations).toMatchObject([{ permissions: ['usage.view'] }])
  expect(await house.mails(email)).toHaveLength(1)
  expect(await namesOf(owner)).toEqual(['teams.member_invited', 'teams.invitation_updated'])
})

test('an expired invitation is sent anew by inviting again or by sending it again', async () => {
  await using late = await openHouse()
  const owner = await late.newOwner()
  const bob = await late.newOwner()
  const pending = async () => (await bob.call(teams.listInvitations)).body.items.length
  const ask = () => owner.call(teams.updateInvitation, { body: { email: bob.email, permissions: [], tags: [] } })
  await ask()
  late.clock.advance({ days: 7 })
  expect(await pending()).toBe(0)
  expect((await owner.call(teams.getTeam)).body.invitations).toMatchObject([{ expired: true }])
  expect((await ask()).body.state).toBe('invited')
  expect(await pending()).toBe(1)
  await late.db.updateTable('invitation').set({ expires_at: late.clock.now() }).execute()
  expect(await pending()).toBe(0)
  expect((await owner.call(teams.resendInvitation, { body: { email: bob.email } })).status).toBe(200)
  expect(await pending()).toBe(1)
  expect(await late.mails(bob.email)).toHaveLength(3)
})

test('a mailbox is not filled: five mails a day from one team', async () => {
  const owner = await house.newOwner()
  await invite(owner, 'busy@example.test')
  const send = async () => (await owner.call(teams.resendInvitation, { body: { email: 'busy@example.test' } })).status
  expect([await send(), await send(), await send(), await send(), await send()]).toEqual([200, 200, 200, 200, 429])
  expect(await house.mails('busy@example.test')).toHaveLength(5)
})

test('what is not invited cannot be sent again', async () => {
  const owner = await house.newOwner()
  const answer = await owner.call(teams.resendInvitation, { body: { email: 'nobody@example.test' } })
  expect(answer).toMatchObject({ status: 404, body: { code: 'invitation_missing' } })
})

test('the owner is no member, and nobody invites themselves', async () => {
  const owner = await house.newOwner()
  const admin = await house.newMember(owner, Object.keys(permissions))
  expect(await invite(owner, owner.email)).toMatchObject({ status: 409, body: { code: 'own_account' } })
  expect(await invite(admin, owner.email)).toMatchObject({ status: 409, body: { code: 'own_account' } })
  expect(await invite(admin, admin.email)).toMatchObject({ status: 409, body: { code: 'own_membership' } })
})

test('names of permissions that nobody can grant are refused in words', async () => {
  const owner = await house.newOwner()
  for (const name of ['backoffice', 'assets.fly', '']) {
    const answer = await invite(owner, 'x@example.test', [name])
    expect([name, answer.status, answer.body.code]).toEqual([name, 400, 'invalid_request'])
  }
  expect(await invite(owner, 'x@example.test', [], ['no such tag'])).toMatchObject({ status: 400, body: { code: 'tag_unknown' } })
  expect(await invite(owner, 'not an address')).toMatchObject({ status: 400, body: { fields: { email: expect.any(String) } } })
})

test('tags go by name or id; left out, they stay as they are', async () => {
  const owner = await house.newOwner()
  const cold = (await owner.call(createTag, { body: { name: 'cold' } })).body.id
  const bob = await house.newMember(owner, [], [cold])
  expect((await invite(owner, 'tagged@example.test', [], ['COLD', cold])).body.tags).toEqual(['cold'])
  expect((await invite(owner, bob.email, ['assets.view'], null)).body).toEqual({
    email: bob.email,
    state: 'member',
    permissions: ['assets.view'],
    tags: ['cold'],
  })
  expect((await invite(owner, bob.email, ['assets.view'], [])).body.tags).toEqual([])
  expect((await teamOf(owner)).members).toMatchObject([{ email: bob.email, limited: false, tags: [] }])
})

test('a team is full at its limit, and somebody in it can still be changed', async () => {
  const owner = await house.newOwner()
  for (let i = 1; i < mostMembers; i++) await addInvitation(house, owner, `many-${i}@example.test`)
  expect((await invite(owner, 'last@example.test')).status).toBe(200)
  expect(await invite(owner, 'over@example.test')).toMatchObject({ status: 409, body: { code: 'team_full' } })
  expect((await invite(owner, 'many-1@example.test', ['usage.view'])).status).toBe(200)
})

test('taking an invitation back notifies both sides, and a month after its end it is forgotten', async () => {
  const [owner, bob] = [await house.newOwner(), await house.newOwner()]
  await invite(owner, bob.email)
  const params = { invited_email: bob.email.toUpperCase() }
  expect((await owner.call(teams.deleteInvitation, { params })).status).toBe(200)
  expect(await owner.call(teams.deleteInvitation, { params })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await bob.call(getUserInfo)).body.pending_invitations_from).toEqual([])
  await house.settle()
  expect((await namesOf(bob)).at(-1)).toBe('teams.invitation_withdrawn')
  await using old = await openHouse()
  const other = await old.newOwner()
  await addInvitation(old, other, 'old@example.test')
  for (const [days, left] of [
    [36, 1],
    [2, 0],
  ] as const) {
    old.clock.advance({ days })
    await old.app.pool.query(`select graphile_worker.add_job('teams.forget_expired')`)
    await old.settle()
    expect(await old.db.selectFrom('invitation').select('email').execute()).toHaveLength(left)
  }
})

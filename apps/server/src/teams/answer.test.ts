import { afterAll, beforeAll, expect, test } from 'vitest'
import { getUserInfo } from '@masthead/contract/auth/operations'
import * as teams from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const invite = (by: Person, email: string) =>
  by.call(teams.updateInvitation, { body: { email, permissions: ['assets.view', 'usage.view'], tags: [] } })
const approve = (person: Person, inviter: Person) => person.call(teams.approveInvitation, { body: { inviter_email: inviter.email } })
const reject = (person: Person, inviter: Person) => person.call(teams.rejectInvitation, { body: { inviter_email: inviter.email } })
const missing = { status: 404, body: { code: 'invitation_missing' } }

test('accepting moves the inviter into the memberships with their permissions', async () => {
  const [owner, bob] = [await house.newOwner('Acme'), await house.newOwner('Bob')]
  await invite(owner, bob.email)
  const answer = await bob.call(teams.approveInvitation, { body: { inviter_email: owner.email.toUpperCase() } })
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.body).toEqual({ email: owner.email, permissions: ['assets.view', 'usage.view'] })
  expect((await bob.call(getUserInfo)).body).toMatchObject({
    member_of: [{ email: owner.email, team_name: 'Acme', permissions: ['assets.view', 'usage.view'] }],
    pending_invitations_from: [],
  })
  expect((await bob.call(teams.listMemberships)).body.items).toMatchObject([{ email: owner.email, team_name: 'Acme', limited: false }])
  expect((await owner.call(teams.getTeam)).body).toMatchObject({
    members: [{ email: bob.email, invited_by: owner.email }],
    invitations: [],
  })
  expect((await house.events(owner.account_id)).at(-1)).toMatchObject({ name: 'teams.invitation_accepted', actor_email: bob.email })
  expect((await house.events(bob.account_id)).at(-1)).toMatchObject({ name: 'teams.team_joined', detail: { team_name: 'Acme' } })
})

test('declining only removes the invitation', async () => {
  const [owner, bob] = [await house.newOwner(), await house.newOwner()]
  await invite(owner, bob.email)
  expect((await reject(bob, owner)).status).toBe(200)
  expect((await bob.call(getUserInfo)).body).toMatchObject({ member_of: [], pending_invitations_from: [] })
  expect((await house.events(owner.account_id)).at(-1)).toMatchObject({ name: 'teams.invitation_rejected', actor_email: bob.email })
  expect(await reject(bob, owner)).toMatchObject(missing)
  expect(await approve(bob, owner)).toMatchObject(missing)
})

test('who accepts twice is answered that they are in; of two at once one does', async () => {
  const [owner, bob] = [await house.newOwner('Acme'), await house.newOwner()]
  await invite(owner, bob.email)
  const statuses = (await Promise.all([approve(bob, owner), approve(bob, owner), approve(bob, owner)])).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 409, 409])
  expect(await approve(bob, owner)).toMatchObject({
    status: 409,
    body: { code: 'already_member', detail: 'You are a member of the team Acme already' },
  })
})

test('what was taken back, or never was, reads the same', async () => {
  const [owner, bob, stranger] = [await house.newOwner(), await house.newOwner(), await house.newOwner()]
  await invite(owner, bob.email)
  await owner.call(teams.deleteInvitation, { params: { invited_email: bob.email } })
  const words = async (inviter_email: string) => {
    const { status, body } = await bob.call(teams.approveInvitation, { body: { inviter_email } })
    return [status, body.code, body.detail?.replace(inviter_email, '')]
  }
  const taken = await words(owner.email)
  expect(taken.slice(0, 2)).toEqual([404, 'invitation_missing'])
  expect(await words(stranger.email)).toEqual(taken)
  expect(await words('no-account@example.test')).toEqual(taken)
})

test('an invitation to somebody else is nobody’s', async () => {
  const [owner, bob, eve] = [await house.newOwner(), await house.newOwner(), await house.newOwner()]
  await invite(owner, bob.email)
  expect(await approve(eve, owner)).toMatchObject(missing)
  expect(await reject(eve, owner)).toMatchObject(missing)
  expect((await approve(bob, owner)).status).toBe(200)
})

test('one that has expired says when, and who to ask; it can be declined', async () => {
  await using late = await openHouse()
  const [owner, bob] = [await late.newOwner(), await late.newOwner()]
  await invite(owner, bob.email)
  late.clock.advance({ days: 7 })
  const answer = await approve(bob, owner)
  expect(answer).toMatchObject({ status: 409, body: { code: 'invitation_expired', detail: expect.stringContaining(owner.email) } })
  expect((await reject(bob, owner)).status).toBe(200)
})

test('accepting and taking back at the same time end in one of the two', async () => {
  for (let i = 0; i < 8; i++) {
    const [owner, bob] = [await house.newOwner(), await house.newOwner()]
    await invite(owner, bob.email)
    const [accepted, revoked] = await Promise.all([
      approve(bob, owner),
      owner.call(teams.deleteInvitation, { params: { invited_email: bob.email } }),
    ])
    expect([
      [200, 404],
      [404, 200],
    ]).toContainEqual([accepted.status, revoked.status])
    const { members, invitations } = (await owner.call(teams.getTeam)).body
    expect([members.length, invitations.length]).toEqual([accepted.status === 200 ? 1 : 0, 0])
  }
})

test('where mail is sent, only who reads it accepts: a stranger with the address does not', async () => {
  await using mailing = await openHouse({ config: { smtpUrl: 'smtp://127.0.0.1:1' } })
  const [owner, bob] = [await mailing.newOwner(), await mailing.newOwner('bob', { proved: false })]
  await invite(owner, bob.email)
  const proofOf = async () => /[?&]proof=([\w-]+)/.exec((await mailing.mails(bob.email)).at(-1)!.text)![1]!
  const early = await proofOf()
  await owner.call(teams.resendInvitation, { body: { email: bob.email } })
  const unproven = { status: 403, body: { code: 'email_not_verified' } }
  expect(await approve(bob, owner)).toMatchObject(unproven)
  const bring = (proof: string) => bob.call(teams.approveInvitation, { body: { inviter_email: owner.email, proof } })
  expect(await bring('guessed')).toMatchObject(unproven)
  expect(await bring(early)).toMatchObject(unproven)
  expect((await bring(await proofOf())).status).toBe(200)
  // Shown once, the address is theirs.
  const other = await mailing.newOwner()
  await invite(other, bob.email)
  expect((await approve(bob, other)).status).toBe(200)
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailEmailProof } from '@masthead/contract/account/email-operations'
import { changeEmail, confirmEmail, getSecurity } from '@masthead/contract/account/security-operations'
import { listActivities } from '@masthead/contract/activities/operations'
import { getCustomer, proveEmail } from '@masthead/contract/backoffice/account-operations'
import * as teams from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { newPerson, password, tokenIn } from '../account/test-person.ts'
import { enter } from '../test-samples.ts'

// Anybody may register the address that somebody else was invited by.
let house: House
let mailing: House
beforeAll(async () => {
  house = await openHouse()
  mailing = await openHouse({ config: { smtpUrl: 'smtp://127.0.0.1:1' } })
})
afterAll(async () => {
  for (const each of [house, mailing]) await each[Symbol.asyncDispose]()
})

async function openStaff(on: House) {
  const staff = await newPerson(on)
  return { staff, headers: { 'x-backoffice-token': await enter(on, staff, ['backoffice']) } }
}
const stranger = (on: House) => on.newOwner('stranger', { proved: false })
const invite = (owner: Person, email: string) =>
  owner.call(teams.updateInvitation, { body: { email, permissions: ['assets.view'], tags: [] } })
const approve = (person: Person, owner: Person, proof?: string) =>
  person.call(teams.approveInvitation, { body: { inviter_email: owner.email, ...(proof && { proof }) } })
const makeLink = (owner: Person, email: string) => owner.call(teams.makeInvitationLink, { body: { email } })
const proofIn = (url: string) => /[?&]proof=([\w-]+)/.exec(url)![1]!
const waitingForLocks = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const isProven = async (person: Person) => (await person.call(getSecurity)).body.email_proven
const notVerified = { status: 403, body: { code: 'email_not_verified' } }

describe('without mail', () => {
  test('who registered an invited address does not take the invitation; who was handed the link does', async () => {
    const [owner, bob] = [await house.newOwner('Acme'), await stranger(house)]
    await invite(owner, bob.email)
    expect((await bob.call(teams.listInvitations)).body).toMatchObject({ email_proven: false, items: [{ email: owner.email }] })
    const refused = await approve(bob, owner)
    expect(refused).toMatchObject(notVerified)
    expect(refused.body.detail).toContain(`Ask ${owner.email} for the link`)
    const { url, expires_at } = (await makeLink(owner, bob.email)).body
    expect(url).toMatch(/^http:\/\/localhost:80\/#\/notifications\?tab=invitations&proof=/)
    expect(expires_at).toBe(new Date(house.clock.now().getTime() + 7 * 86_400_000).toISOString())
    expect(await approve(bob, owner, 'guessed')).toMatchObject(notVerified)
    expect((await approve(bob, owner, proofIn(url))).status).toBe(200)
    expect((await house.events(owner.account_id)).map(({ name }) => name)).toContain('teams.invitation_link_made')
  })

  test('the mail that waits in the outbox of a demo, where its people read it, holds no link that counts', async () => {
    await using demo = await openHouse({ config: { demo: true } })
    const [owner, bob] = [await demo.newOwner(), await stranger(demo)]
    await invite(owner, bob.email)
    const [{ text } = { text: '' }] = await demo.mails(bob.email)
    expect(text).toContain('Accept or decline until')
    expect(text).not.toContain('proof=')
  })

  test('a link is kept as its hash alone, ends when another is made, when it is sent again, and with the invitation', async () => {
    const [owner, bob] = [await house.newOwner(), await stranger(house)]
    await invite(owner, bob.email)
    const first = proofIn((await makeLink(owner, bob.email)).body.url)
    const rows = await house.db.selectFrom('invitation').selectAll().where('email', '=', bob.email).execute()
    expect(JSON.stringify(rows)).not.toContain(first)
    const second = proofIn((await makeLink(owner, bob.email)).body.url)
    expect(await approve(bob, owner, first)).toMatchObject(notVerified)
    await owner.call(teams.resendInvitation, { body: { email: bob.email } })
    expect(await approve(bob, owner, second)).toMatchObject(notVerified)
    const third = proofIn((await makeLink(owner, bob.email)).body.url)
    await house.db
      .updateTable('invitation')
      .set({ expires_at: new Date(house.clock.now().getTime() + 30 * 86_400_000) })
      .where('email', '=', bob.email)
      .execute()
    house.clock.advance({ days: 7 })
    expect(await approve(bob, owner, third)).toMatchObject(notVerified)
    await owner.call(teams.deleteInvitation, { params: { invited_email: bob.email } })
    expect(await makeLink(owner, bob.email)).toMatchObject({ status: 404, body: { code: 'invitation_missing' } })
  })

  test('a link speaks for the owner who made it alone: who invites themselves proves nothing to others', async () => {
    const [owner, thief, squatter] = [await house.newOwner(), await house.newOwner(), await stranger(house)]
    await invite(owner, squatter.email)
    await invite(thief, squatter.email)
    const own = proofIn((await makeLink(thief, squatter.email)).body.url)
    expect(await approve(squatter, owner, own)).toMatchObject(notVerified)
    expect((await approve(squatter, thief, own)).status).toBe(200)
    expect(await isProven(squatter)).toBe(false)
    expect(await approve(squatter, owner)).toMatchObject(notVerified)
  })

  test('whoever makes the link answers for the invitation: removed, they hold no link that lets them in under another name', async () => {
    const owner = await house.newOwner()
    const make = async (member: Person, email: string) => proofIn((await makeLink(member, email)).body.url)
    const mine = ['profile.view', 'profile.edit', 'assets.view']
    const [ann, bob] = [await stranger(house), await stranger(house)]
    const [one, other] = [await house.newMember(owner, mine), await house.newMember(owner, mine)]
    for (const { email } of [ann, bob]) await invite(owner, email)
    const [toAnn, toBob] = [await make(one, ann.email), await make(other, bob.email)]
    // The owner stands for it again, and the member's link ends.
    await owner.call(teams.updateInvitation, { body: { email: bob.email, permissions: ['billing.view'], tags: [] } })
    for (const { email } of [one, other]) await owner.call(teams.removeMember, { params: { member_email: email } })
    expect(await approve(ann, owner, toAnn)).toMatchObject({ status: 404, body: { code: 'invitation_missing' } })
    expect(await approve(bob, owner, toBob)).toMatchObject(notVerified)
    // An owner who changes what they offer need not hand over another link.
    const own = await make(owner, bob.email)
    await invite(owner, bob.email)
    expect((await approve(bob, owner, own)).status).toBe(200)
  })

  test('whose address changes while they accept does not take what was for the old one by the proof of the new', async () => {
    const [owner, thief] = [await house.newOwner(), await newPerson(house)]
    await house.db.updateTable('person').set({ email_proven_at: null, email_proven_by: null }).where('id', '=', thief.person_id).execute()
    await invite(owner, thief.email)
    const email = `own-${thief.email}`
    await thief.call(changeEmail, { body: { email, password } })
    const token = await tokenIn(house, email)
    const accepting = await house.db.transaction().execute(async (tx) => {
      await tx.selectFrom('account').select('id').where('id', '=', owner.account_id).forUpdate().execute()
      const accepted = approve(thief, owner)
      await expect.poll(async () => (await waitingForLocks.execute(house.db)).rows.length).toBe(1)
      expect((await house.anyone.call(confirmEmail, { body: { token } })).body).toEqual({ email })
      return { accepted }
    })
    expect(await accepting.accepted).toMatchObject(notVerified)
  })

  test('who may not change the team, or is not invited more than oneself may, makes none', async () => {
    const [owner, bob] = [await house.newOwner(), await stranger(house)]
    await owner.call(teams.updateInvitation, { body: { email: bob.email, permissions: ['billing.view'], tags: [] } })
    const member = await house.newMember(owner, ['profile.view', 'profile.edit'])
    expect(await makeLink(member, bob.email)).toMatchObject({ status: 403, body: { code: 'member_may_more' } })
    expect(await makeLink(await house.newMember(owner, ['profile.view']), bob.email)).toMatchObject({ status: 403 })
  })

  test('declining takes no proof, and whose address is known needs no link', async () => {
    const [owner, bob, ann] = [await house.newOwner(), await stranger(house), await house.newOwner()]
    for (const { email } of [bob, ann]) await invite(owner, email)
    expect((await bob.call(teams.rejectInvitation, { body: { inviter_email: owner.email } })).status).toBe(200)
    expect((await approve(ann, owner)).status).toBe(200)
  })
})

test('staff who may see accounts say that an address is its owner’s, with a reason that the customer and the staff log have', async () => {
  const [owner, bob] = [await house.newOwner(), await stranger(house)]
  const { staff, headers } = await openStaff(house)
  await invite(owner, bob.email)
  const input = { params: { email: bob.email }, body: { reason: 'Showed us the contract' } }
  expect((await staff.call(getCustomer, { params: input.params }, headers)).body).toMatchObject({ email_proven: null })
  expect((await owner.call(proveEmail, input)).status).toBe(403)
  expect(await staff.call(proveEmail, { params: { email: staff.email }, body: input.body }, headers)).toMatchObject({ status: 409 })
  expect((await staff.call(proveEmail, input, headers)).body).toMatchObject({ email_proven: { by: 'staff' } })
  expect(await staff.call(proveEmail, input, headers)).toMatchObject({ status: 409, body: { code: 'email_proven_already' } })
  expect((await house.events(bob.account_id)).at(-1)).toMatchObject({
    name: 'backoffice.email_proved',
    actor_email: staff.email,
    detail: { reason: 'Showed us the contract' },
  })
  const lines = await house.db
    .selectFrom('staff_log')
    .select(['action', 'reason'])
    .where('action', '=', 'backoffice.email_proved')
    .execute()
  expect(lines).toEqual([{ action: 'backoffice.email_proved', reason: 'Showed us the contract' }])
  // They might have confirmed an address of their own making: the team is notified that nobody else has confirmed it.
  const other = await house.newOwner()
  await invite(other, bob.email)
  const proof = proofIn((await makeLink(other, bob.email)).body.url)
  expect([await approve(bob, owner), await approve(bob, other, proof)]).toMatchObject([{ status: 200 }, { status: 200 }])
  const joined = async ({ call }: Person) =>
    (await call(listActivities)).body.items.find(({ metadata }) => metadata.action === 'invitation_accepted')?.sentence
  expect(await joined(owner)).toBe('Joined the team, by an e-mail address that staff confirmed')
  expect(await joined(other)).toBe('Joined the team')
})

describe('where mail is sent', () => {
  test('no link is made to hand over; one asks for a link to one’s own address, and accepts from then on', async () => {
    const [owner, bob] = [await mailing.newOwner(), await stranger(mailing)]
    await invite(owner, bob.email)
    expect(await makeLink(owner, bob.email)).toMatchObject({ status: 409, body: { code: 'mail_is_sent' } })
    expect(await approve(bob, owner)).toMatchObject(notVerified)
    expect((await bob.call(mailEmailProof)).body).toMatchObject({ email: bob.email })
    const token = await tokenIn(mailing, bob.email)
    expect((await mailing.anyone.call(confirmEmail, { body: { token } })).body).toEqual({ email: bob.email })
    expect(await mailing.anyone.call(confirmEmail, { body: { token } })).toMatchObject({ status: 400, body: { code: 'link_expired' } })
    expect(await isProven(bob)).toBe(true)
    expect((await mailing.events(bob.account_id)).at(-1)).toMatchObject({ name: 'auth.email_proved', detail: { email: bob.email } })
    expect((await approve(bob, owner)).status).toBe(200)
    expect(await bob.call(mailEmailProof)).toMatchObject({ status: 409, body: { code: 'email_proven_already' } })
  })

  test('the link is of that address: a later one, or another address by then, ends it', async () => {
    const bob = await stranger(mailing)
    await bob.call(mailEmailProof)
    const first = await tokenIn(mailing, bob.email)
    await bob.call(mailEmailProof)
    const second = await tokenIn(mailing, bob.email)
    expect((await mailing.anyone.call(confirmEmail, { body: { token: first } })).body.code).toBe('link_expired')
    await mailing.db.updateTable('person').set({ email: 'elsewhere@example.test' }).where('email', '=', bob.email).execute()
    expect((await mailing.anyone.call(confirmEmail, { body: { token: second } })).body.code).toBe('link_expired')
  })

  test('without mail there is none to ask for', async () => {
    expect(await (await stranger(house)).call(mailEmailProof)).toMatchObject({ status: 409, body: { code: 'mail_off' } })
  })
})

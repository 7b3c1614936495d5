import { afterAll, beforeAll, expect, test } from 'vitest'
import { switchAccount } from '@masthead/contract/auth/operations'
import type { Operation } from '@masthead/contract/kernel/operation'
import * as teams from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addInvitation } from './test-teams.ts'

/** npm run nightly sends 1,000 keys. Each is sent by so many at once. */
const keys = Number(process.env.MASTHEAD_IDEMPOTENCY_KEYS ?? 8)
const atOnce = 20

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

type Write = { by: Person; op: Operation; input: object; other: object; counted: Person; event: string | null }
const body = (fields: object) => ({ body: fields })

/** Each write that creates or changes rights, on people of its own; `event` is what it records once. */
const writes: ((owner: Person, guest: Person) => Promise<Write>)[] = [
  async (owner, { email }) => {
    const grant = (permissions: string[]) => body({ email, permissions, tags: [] })
    const both = { input: grant(['assets.view']), other: grant([]) }
    return { by: owner, op: teams.updateInvitation, ...both, counted: owner, event: 'teams.member_invited' }
  },
  async (owner) => {
    const { email } = await house.newMember(owner, [])
    const grant = (permissions: string[]) => body({ email, permissions, tags: [] })
    const both = { input: grant(['assets.view']), other: grant(['usage.view']) }
    return { by: owner, op: teams.updateInvitation, ...both, counted: owner, event: 'teams.member_updated' }
  },
  async (owner, { email }) => {
    await addInvitation(house, owner, email)
    const both = { input: body({ email }), other: body({ email: 'other@example.test' }) }
    return { by: owner, op: teams.resendInvitation, ...both, counted: owner, event: 'teams.invitation_resent' }
  },
  async (owner, { email }) => {
    await addInvitation(house, owner, email)
    const both = { input: { params: { invited_email: email } }, other: { params: { invited_email: 'other@example.test' } } }
    return { by: owner, op: teams.deleteInvitation, ...both, counted: owner, event: 'teams.invitation_revoked' }
  },
  async (owner) => {
    const { email } = await house.newMember(owner, [])
    const both = { input: { params: { member_email: email } }, other: { params: { member_email: 'other@example.test' } } }
    return { by: owner, op: teams.removeMember, ...both, counted: owner, event: 'teams.member_removed' }
  },
  async (owner, guest) => {
    await addInvitation(house, owner, guest.email)
    const both = { input: body({ inviter_email: owner.email }), other: body({ inviter_email: 'other@example.test' }) }
    return { by: guest, op: teams.approveInvitation, ...both, counted: owner, event: 'teams.invitation_accepted' }
  },
  async (owner, guest) => {
    await addInvitation(house, owner, guest.email)
    const both = { input: body({ inviter_email: owner.email }), other: body({ inviter_email: 'other@example.test' }) }
    return { by: guest, op: teams.rejectInvitation, ...both, counted: owner, event: 'teams.invitation_rejected' }
  },
  async (owner) => {
    const member = await house.newMember(owner, [])
    const home = await house.newVisit(member)
    const both = { input: body({ owner_email: owner.email }), other: body({ owner_email: 'other@example.test' }) }
    return { by: home, op: teams.leaveTeam, ...both, counted: owner, event: 'teams.member_left' }
  },
  async (owner) => {
    const home = await house.newVisit(await house.newMember(owner, []))
    const both = { input: body({ team_member_email: owner.email }), other: body({ team_member_email: home.email }) }
    return { by: home, op: switchAccount, ...both, counted: owner, event: null }
  },
]

test(`${keys} keys, each sent ${atOnce} times at once: one effect each, the same answer to all, and another request is refused`, async () => {
  for (let i = 0; i < Math.max(keys, writes.length); i++) {
    const [owner, guest] = [await house.newOwner(), await house.newOwner()]
    const { by, op, input, other, counted, event } = await writes[i % writes.length]!(owner, guest)
    const key = { 'idempotency-key': `rights-${i}` }
    const answers = await Promise.all(Array.from({ length: atOnce }, () => by.call(op, input as never, key)))
    expect(
      new Set(answers.map(({ status, text }) => `${status} ${text}`)).size,
      `${op.name}: ${answers.map(({ text }) => text).join('\n')}`
    ).toBe(1)
    expect(answers[0]!.status, `${op.name}: ${answers[0]!.text}`).toBe(200)
    if (event) {
      const happened = (await house.events(counted.account_id)).filter(({ name }) => name === event)
      expect([op.name, happened.length]).toEqual([op.name, 1])
    }
    expect(await by.call(op, other as never, key)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  }
}, 3_600_000)

import { sql, type ExpressionBuilder } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { listAssets } from '@masthead/contract/assets/operations'
import { getUserInfo, switchAccount } from '@masthead/contract/auth/operations'
import { createApiKey } from '@masthead/contract/developers/operations'
import { permissions } from '@masthead/contract/kernel/permission'
import { createTag } from '@masthead/contract/tags/operations'
import * as teams from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../assets/test-stock.ts'
import type { Database } from '../kernel/database/database.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const all = Object.keys(permissions)
const change = (by: Person, email: string, granted: readonly string[], tags?: string[]) =>
  by.call(teams.updateInvitation, { body: { email, permissions: granted as never, ...(tags && { tags }) } })
const remove = (by: Person, { email }: { email: string }) => by.call(teams.removeMember, { params: { member_email: email } })
const namesOf = async (account_id: string) => (await house.events(account_id)).map(({ name }) => name)
const ownAccount = async ({ email }: Person) =>
  (await house.db.selectFrom('person').select('account_id').where('email', '=', email).executeTakeFirstOrThrow()).account_id

test('what a member may do is replaced, counts from their next request, and is an event on both accounts', async () => {
  const owner = await house.newOwner('Acme')
  const cold = (await owner.call(createTag, { body: { name: 'cold' } })).body.id
  await addAsset(house, owner, { name: 'seen', tags: [cold] })
  await addAsset(house, owner, { name: 'hidden' })
  const bob = await house.newMember(owner, ['assets.view'])
  expect((await bob.call(listAssets)).body.total).toBe(2)
  expect((await change(owner, bob.email, ['assets.view'], [cold])).body).toMatchObject({ state: 'member', tags: ['cold'] })
  expect((await bob.call(listAssets)).body.total).toBe(1)
  await change(owner, bob.email, ['usage.view'])
  expect((await bob.call(listAssets)).status).toBe(403)
  expect((await owner.call(getUserInfo)).body.team_members).toEqual([{ email: bob.email, permissions: ['usage.view'], tags: ['cold'] }])
  const last = (await house.events(owner.account_id)).findLast(({ name }) => name === 'teams.member_updated')
  expect(last).toMatchObject({
    name: 'teams.member_updated',
    detail: {
      updated_member: bob.email,
      permissions: ['usage.view'],
      old_permissions: ['assets.view'],
      tags: ['cold'],
      old_tags: ['cold'],
    },
  })
  expect((await namesOf(await ownAccount(bob))).at(-1)).toBe('teams.team_rights_changed')
  await change(owner, bob.email, ['usage.view'])
  expect((await namesOf(owner.account_id)).filter((name) => name === 'teams.member_updated')).toHaveLength(2)
})

test('the team says when its owner was last active there, by what they did or by a session', async () => {
  const owner = await house.newOwner()
  const bob = await house.newMember(owner, ['profile.view'])
  const told = async () => (await bob.call(teams.getTeam)).body.owner.last_active_at
  const session = house.db.selectFrom('session').innerJoin('person', 'person.id', 'session.person_id').where('email', '=', owner.email)
  const { seen_at, person_id } = await session.select(['seen_at', 'person_id']).executeTakeFirstOrThrow()
  expect(await told()).toBe(seen_at.toISOString())
  house.clock.advance({ minutes: 1 })
  await owner.call(createTag, { body: { name: 'cold' } })
  await house.db.deleteFrom('session').where('person_id', '=', person_id).execute()
  expect(await told()).toBe(house.clock.now().toISOString())
})

test('a removed member is back on their own account at their next request, and comes back only by an invitation', async () => {
  const owner = await house.newOwner()
  const bob = await house.newMember(owner, ['assets.view'])
  expect((await remove(owner, { email: bob.email.toUpperCase() })).status).toBe(200)
  expect((await bob.call(getAccount)).body.id).toBe(await ownAccount(bob))
  expect((await bob.call(getUserInfo)).body).toMatchObject({ acting_as: null, member_of: [] })
  expect(await bob.call(switchAccount, { body: { team_member_email: owner.email } })).toMatchObject({ status: 403 })
  expect(await remove(owner, bob)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await namesOf(await ownAccount(bob))).at(-1)).toBe('teams.team_membership_ended')
  await change(owner, bob.email, ['usage.view'])
  expect((await bob.call(teams.approveInvitation, { body: { inviter_email: owner.email } })).status).toBe(200)
  // A new membership does not put an old session on the account.
  expect((await bob.call(getUserInfo)).body.acting_as).toBeNull()
})

test('a member leaves, whatever account they work on', async () => {
  const owner = await house.newOwner()
  const bob = await house.newMember(owner, [])
  const leave = (owner_email: string) => bob.call(teams.leaveTeam, { body: { owner_email } })
  expect((await leave(owner.email)).status).toBe(200)
  expect((await bob.call(getUserInfo)).body).toMatchObject({ acting_as: null, member_of: [] })
  expect((await house.events(owner.account_id)).at(-1)).toMatchObject({ name: 'teams.member_left', actor_email: bob.email })
  expect((await namesOf(await ownAccount(bob))).at(-1)).toBe('teams.team_left')
  expect(await leave(owner.email)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await leave(bob.email)).toMatchObject({ status: 409, body: { code: 'own_account' } })
})

test('nobody touches the owner or their own row', async () => {
  const owner = await house.newOwner()
  const admin = await house.newMember(owner, all)
  expect(await change(admin, admin.email, all)).toMatchObject({ status: 409, body: { code: 'own_membership' } })
  expect(await remove(admin, admin)).toMatchObject({ status: 409, body: { code: 'own_membership' } })
  expect(await remove(admin, owner)).toMatchObject({ status: 409, body: { code: 'own_account' } })
  expect(await remove(owner, owner)).toMatchObject({ status: 409, body: { code: 'own_account' } })
  expect((await admin.call(teams.getTeam)).body.members).toMatchObject([{ email: admin.email, fixed: expect.any(String) }])
})

test('nobody grants what they do not have: neither permissions nor assets', async () => {
  const owner = await house.newOwner()
  const [cold, warm] = [
    (await owner.call(createTag, { body: { name: 'cold' } })).body.id,
    (await owner.call(createTag, { body: { name: 'warm' } })).body.id,
  ]
  const lead = await house.newMember(owner, ['profile.view', 'profile.edit', 'assets.view'], [cold])
  const wide = (answer: unknown) => expect(answer).toMatchObject({ status: 403, body: { code: 'grant_too_wide' } })
  const answer = await change(lead, 'x@example.test', ['assets.view', 'billing.edit'], [cold])
  wide(answer)
  expect(answer.body.detail).toContain('add credits and change payment methods')
  wide(await change(lead, 'x@example.test', ['assets.view'], []))
  wide(await change(lead, 'x@example.test', ['assets.view']))
  expect(await change(lead, 'x@example.test', ['assets.view'], [cold, warm])).toMatchObject({ status: 400, body: { code: 'tag_unknown' } })
  expect((await change(lead, 'x@example.test', ['assets.view'], [cold])).status).toBe(200)
  const team = (await lead.call(teams.getTeam)).body
  expect(team).toMatchObject({ grantable: ['assets.view', 'profile.view', 'profile.edit'], must_limit: true })
  expect(team.choices.map(({ name }) => name)).toEqual(['cold'])
})

test('nobody changes or removes who may more than they do, and learns of no tag that is not theirs', async () => {
  const owner = await house.newOwner()
  const tag = async (name: string) => (await owner.call(createTag, { body: { name } })).body.id
  const [cold, warm] = [await tag('cold'), await tag('warm')]
  const lead = await house.newMember(owner, ['profile.view', 'profile.edit', 'assets.view'], [cold])
  const more = [
    await house.newMember(owner, ['billing.view'], [cold]),
    await house.newMember(owner, ['assets.view']),
    await house.newMember(owner, ['assets.view'], [cold, warm]),
  ]
  for (const member of more) {
    expect(await change(lead, member.email, [], [cold])).toMatchObject({ status: 403, body: { code: 'member_may_more' } })
    expect(await remove(lead, member)).toMatchObject({ status: 403, body: { code: 'member_may_more' } })
  }
  await change(owner, 'strong@example.test', ['billing.view'])
  expect(await change(lead, 'strong@example.test', [], [cold])).toMatchObject({ status: 403, body: { code: 'member_may_more' } })
  expect(await lead.call(teams.deleteInvitation, { params: { invited_email: 'strong@example.test' } })).toMatchObject({
    status: 403,
    body: { code: 'member_may_more' },
  })
  expect(await lead.call(teams.resendInvitation, { body: { email: 'strong@example.test' } })).toMatchObject({ status: 403 })
  const { members } = (await lead.call(teams.getTeam)).body
  const third = members.find(({ email }) => email === more[2]!.email)!
  expect(third).toMatchObject({ limited: true, tags: [{ name: 'cold' }], hidden_tags: 1, fixed: expect.stringContaining('may do more') })
  const weak = await house.newMember(owner, ['assets.view'], [cold])
  expect((await change(lead, weak.email, [], [cold])).status).toBe(200)
  expect((await remove(lead, weak)).status).toBe(200)
})

test('what a member offered to others falls when they may no longer grant it', async () => {
  const owner = await house.newOwner()
  const lead = await house.newMember(owner, ['profile.edit', 'assets.view', 'usage.view'])
  const pending = async () => (await owner.call(teams.getTeam)).body.invitations.map(({ email }) => email)
  await change(lead, 'a@example.test', ['assets.view'])
  await change(lead, 'b@example.test', ['usage.view'])
  await change(owner, 'c@example.test', ['usage.view'])
  await change(owner, lead.email, ['profile.edit', 'assets.view'])
  expect(await pending()).toEqual(['a@example.test', 'c@example.test'])
  await remove(owner, lead)
  expect(await pending()).toEqual(['c@example.test'])
  expect((await namesOf(owner.account_id)).filter((name) => name === 'teams.invitation_revoked')).toHaveLength(2)
})

test('rights that end while somebody uses them count: of a removal and an invitation at once nothing is left behind', async () => {
  for (let i = 0; i < 6; i++) {
    const owner = await house.newOwner()
    const lead = await house.newMember(owner, ['profile.edit'])
    const [removed, invited] = await Promise.all([remove(owner, lead), change(lead, `friend-${i}@example.test`, ['profile.edit'])])
    expect(removed.status).toBe(200)
    // Before the removal it is taken back with it; after it, it is refused or is an invitation to the person's own team.
    expect([200, 403]).toContain(invited.status)
    expect((await owner.call(teams.getTeam)).body).toMatchObject({ members: [], invitations: [] })
  }
})

test('only with profile.view is the team seen, only with profile.edit changed', async () => {
  const owner = await house.newOwner()
  const [reader, nobody] = [await house.newMember(owner, ['profile.view']), await house.newMember(owner, [])]
  const team = (await reader.call(teams.getTeam)).body
  expect(team).toMatchObject({ grantable: [], choices: [] })
  expect(team.members.every(({ fixed }) => fixed !== null)).toBe(true)
  expect((await change(reader, 'x@example.test', [])).status).toBe(403)
  expect((await nobody.call(teams.getTeam)).status).toBe(403)
})

test('the key of a member who is removed, or limited, at the same moment changes the team no more', async () => {
  const owner = await house.newOwner()
  const tag = (await owner.call(createTag, { body: { name: 'cold' } })).body.id
  const waiting = sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const changes = [{ permissions: ['assets.view'] }, { tags: [tag] }, null]
  for (const changed of changes) {
    const lead = await house.newMember(owner, ['profile.edit', 'assets.view', 'developers.edit'])
    const { secret } = (await lead.call(createApiKey, { body: { name: 'x', scopes: ['profile.edit', 'assets.view'] } })).body
    const invite = (email: string) =>
      house.anyone.call(teams.updateInvitation, { body: { email, permissions: ['assets.view'] } }, { 'x-api-key': secret })
    expect((await invite('before@example.test')).status).toBe(200)
    let late: ReturnType<typeof invite>
    await house.db.transaction().execute(async (tx) => {
      await tx.selectFrom('account').select('id').where('id', '=', owner.account_id).forUpdate().execute()
      late = invite('late@example.test')
      await expect.poll(async () => (await waiting.execute(house.db)).rows[0]!.count).toBe(1)
      const its = (eb: ExpressionBuilder<Database, 'membership'>) =>
        eb('person_id', '=', eb.selectFrom('person').select('id').where('email', '=', lead.email))
      if (changed) await tx.updateTable('membership').set(changed).where(its).execute()
      else await tx.deleteFrom('membership').where(its).execute()
    })
    expect((await late!).status, JSON.stringify(changed)).toBe(403)
  }
})

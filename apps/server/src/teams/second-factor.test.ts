import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import * as security from '@masthead/contract/account/security-operations'
import { listActivities } from '@masthead/contract/activities/operations'
import { listAssets } from '@masthead/contract/assets/operations'
import { getUserInfo, switchAccount } from '@masthead/contract/auth/operations'
import { challengePasskey, passSecondStep } from '@masthead/contract/auth/step-operations'
import { eventKinds } from '@masthead/contract/events'
import { sentenceOf } from '@masthead/contract/kernel/event'
import { demandSecondFactor, getTeam, leaveTeam, listMemberships } from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import {
  codeOf,
  cookiesOf,
  newPasskey,
  newPerson,
  password,
  signIn,
  switchOn,
  withCookies,
  type TestPerson,
} from '../account/test-person.ts'
import { newKey, withKey } from '../developers/test-keys.ts'
import { newTestPasskey } from '../factors/test-passkey.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { limits: { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 } } })
})
afterAll(() => house[Symbol.asyncDispose]())

const refused = { status: 403, body: { code: 'second_factor_demanded' } }

/** An owner with an app, and a member with a password alone who acts on the account. */
async function newTeam() {
  const { person: owner, secret } = await switchOn(house, await newPerson(house))
  const person = await newPerson(house)
  await house.db
    .insertInto('membership')
    .values({ account_id: owner.account_id, person_id: person.person_id, permissions: ['assets.view', 'overview.view'], tags: [] })
    .execute()
  const switched = await person.call(switchAccount, { body: { team_member_email: owner.email } })
  const member = withCookies(house, person, switched)
  let steps = 0
  const demand = (demanded = true) => {
    // Codes count once: each is of a later half minute.
    if (steps++ > 0) house.clock.advance({ seconds: 30 })
    return owner.call(demandSecondFactor, { body: { password, code: codeOf(house, secret), demanded } })
  }
  return { owner, secret, member, demand }
}

test('who acts on the account without a factor is refused from the next request on, and let in again with one', async () => {
  const { owner, member, demand } = await newTeam()
  expect((await member.call(listAssets)).status).toBe(200)
  expect(await demand()).toMatchObject({ status: 200, body: { demanded: true } })
  expect(await member.call(listAssets)).toMatchObject(refused)
  expect(await member.call(listActivities)).toMatchObject(refused)
  // Where they are, who they are, and the way out are still answered.
  expect((await member.call(getAccount)).body).toMatchObject({ lacks_factor: 'missing' })
  expect((await member.call(getUserInfo)).body).toMatchObject({ acting_as: owner.email })
  expect((await member.call(listMemberships)).body.items).toHaveLength(1)
  // Without leaving: the very next request counts.
  const { secret } = (await member.call(security.startAuthenticator, { body: { password } })).body
  const on = await member.call(security.confirmAuthenticator, { body: { code: codeOf(house, secret) } })
  const after = withCookies(house, member, on)
  expect((await after.call(listAssets)).status).toBe(200)
  expect((await after.call(getAccount)).body.lacks_factor).toBeUndefined()
  // The owner has one, and nothing changes for them; nor for who works elsewhere.
  expect((await owner.call(getTeam)).body.second_factor_demanded).toBe(true)
  const told = (await house.events(owner.account_id)).findLast(({ name }) => name === 'teams.second_factor_demanded')!
  expect(told.detail).toEqual({ second_factor: 'demanded', old_second_factor: 'optional' })
  expect(sentenceOf(eventKinds.get(told.name), told.name, told.detail)).toBe(
    'Made two-factor authentication required for everybody who works on this account'
  )
})

test('a factor that was not used to sign in is not enough: it is proved, or the way in repeated', async () => {
  const { owner, member, demand } = await newTeam()
  const { key } = await newPasskey(member)
  await demand()
  // The passkey was just made in this session; another browser came by the password alone.
  expect((await member.call(listAssets)).status).toBe(200)
  const answer = await signIn(house, member.email)
  const visit = withCookies(house, member, answer)
  const other = withCookies(house, visit, await visit.call(switchAccount, { body: { team_member_email: owner.email } }))
  expect(await other.call(listAssets)).toMatchObject(refused)
  expect((await other.call(getAccount)).body.lacks_factor).toBe('unproved')
  expect((await other.call(security.prove, { body: { password } })).status).toBe(200)
  expect(await other.call(listAssets)).toMatchObject(refused)
  const { challenge } = (await other.call(challengePasskey, { body: { use: 'proof' } })).body
  expect((await other.call(security.prove, { body: { passkey: key.sign(challenge as string) } })).status).toBe(200)
  expect((await other.call(listAssets)).status).toBe(200)
})

test('the account of their own, leaving the team, and another account are not concerned', async () => {
  const { owner, member, demand } = await newTeam()
  await demand()
  const left = await house.newVisit(member)
  expect((await left.call(listAssets)).status).toBe(200)
  const home = withCookies(house, member, await member.call(switchAccount, { body: { team_member_email: member.email } }))
  expect((await home.call(listAssets)).status).toBe(200)
  expect((await home.call(leaveTeam, { body: { owner_email: owner.email } })).status).toBe(200)
})

test('everybody of the team sees who has a second factor, however it was come by; programs do not', async () => {
  const { owner, member } = await newTeam()
  const manager = await house.newMember(owner, ['profile.view', 'profile.edit'])
  const reader = await house.newMember(owner, ['profile.view'])
  const seen = async (asker: Person) => {
    const { owner: of, members } = (await asker.call(getTeam)).body
    const by = new Map(members.map(({ email, second_factor }) => [email, second_factor]))
    return [of.second_factor, by.get(member.email), by.get(manager.email)]
  }
  expect(await seen(owner)).toEqual([true, false, false])
  expect(await seen(reader)).toEqual([true, false, false])
  await newPasskey(member)
  expect(await seen(manager)).toEqual([true, true, false])
  // An app that was never confirmed guards nothing.
  await manager.call(security.startAuthenticator, { body: { password } })
  expect(await seen(owner)).toEqual([true, true, false])
  const { secret } = await newKey(house, owner, ['profile.view'])
  const told = (await withKey(house, secret).call(getTeam)).body
  expect([told.owner, ...told.members].map(({ second_factor }) => second_factor)).toEqual([null, null, null, null])
})

test('keys go on; what is asked of people is not asked of programs', async () => {
  const { owner, demand } = await newTeam()
  const { secret } = await newKey(house, owner, ['assets.view'])
  await demand()
  expect((await withKey(house, secret).call(listAssets)).status).toBe(200)
})

test('only an owner who has a factor, and proves it, can demand it', async () => {
  const bare = await newPerson(house)
  const ask = (person: Person, body = {}) => person.call(demandSecondFactor, { body: { password, demanded: true, ...body } })
  expect(await ask(bare)).toMatchObject({ status: 409, body: { code: 'own_factor_missing' } })
  await newPasskey(bare)
  expect(await ask(bare)).toMatchObject({ status: 409, body: { code: 'own_factor_missing', detail: expect.stringContaining('passkey') } })
  const { owner, member, demand } = await newTeam()
  await house.db
    .updateTable('membership')
    .set({ permissions: ['profile.edit'] })
    .where('person_id', '=', member.person_id)
    .execute()
  expect(await ask(member)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(await ask(owner)).toMatchObject({ status: 400, body: { code: 'code_wrong' } })
  expect(await ask(owner, { password: 'wrong password' })).toMatchObject({ status: 400, body: { code: 'credentials_wrong' } })
  expect((await owner.call(getTeam)).body.second_factor_demanded).toBe(false)
  await demand()
  await demand()
  expect((await demand(false)).body).toEqual({ demanded: false })
  expect((await house.events(owner.account_id)).map(({ name }) => name).filter((name) => name.startsWith('teams.'))).toEqual([
    'teams.second_factor_demanded',
    'teams.second_factor_made_optional',
  ])
  expect((await member.call(getAccount)).body.lacks_factor).toBeUndefined()
})

test('the last factor stays as long as the account asks for it; of two that go at once one stays', async () => {
  const { owner, secret, demand } = await newTeam()
  await demand()
  const off = (person: TestPerson) => {
    house.clock.advance({ seconds: 30 })
    return person.call(security.removeAuthenticator, { body: { password, code: codeOf(house, secret) } })
  }
  expect(await off(owner)).toMatchObject({
    status: 409,
    body: { code: 'last_factor_demanded', detail: expect.stringContaining('your account') },
  })
  // With a passkey beside it, either may go, and not both.
  house.clock.advance({ seconds: 30 })
  const key = newTestPasskey()
  const { challenge } = (await owner.call(security.startPasskey, { body: { password, code: codeOf(house, secret) } })).body
  const { id } = (await owner.call(security.addPasskey, { body: { name: 'Key', passkey: key.register(challenge as string) } })).body
  house.clock.advance({ seconds: 30 })
  const at = [codeOf(house, secret), codeOf(house, secret, 1)]
  const answers = await Promise.all([
    owner.call(security.removeAuthenticator, { body: { password, code: at[0]! } }),
    owner.call(security.removePasskey, { params: { passkey_id: id }, body: { password, code: at[1]! } }),
  ])
  expect(answers.map(({ status }) => status).filter((status) => status === 200).length).toBeLessThanOrEqual(1)
  const left = await house.db.selectFrom('passkey').select('id').where('person_id', '=', owner.person_id).execute()
  const app = await house.db.selectFrom('authenticator').select('person_id').where('person_id', '=', owner.person_id).execute()
  expect(left.length + app.length).toBeGreaterThan(0)
})

test('a sign-in with the code is let in, one by the password alone never was', async () => {
  const { owner, secret, demand } = await newTeam()
  await demand()
  house.clock.advance({ seconds: 30 })
  const half = await signIn(house, owner.email)
  expect(half.body.code).toBe('second_factor_needed')
  const whole = withCookies(
    house,
    owner,
    await house.anyone.call(passSecondStep, { body: { code: codeOf(house, secret) } }, { cookie: cookiesOf(half) })
  )
  expect((await whole.call(getTeam)).status).toBe(200)
})

test('demanded while somebody looks on: their stream ends, the next one says nothing of the account until they have a factor', async () => {
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const watch = async ({ cookie }: Person) => {
    const answer = await fetch(`${address}/v1/live`, { headers: { cookie } })
    const heard = { text: '', ended: false }
    const read = async () => {
      for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) heard.text += piece
    }
    void read()
      .catch(() => {})
      .finally(() => (heard.ended = true))
    await expect.poll(() => heard.text).toContain('retry')
    return heard
  }
  const { owner, member, demand } = await newTeam()
  // Who listens at the database may still be on the way there.
  const open = await watch(member)
  const owners = await watch(owner)
  await demand()
  await expect.poll(() => [open.ended, owners.ended]).toEqual([true, true])
  const [again, ownersAgain] = [await watch(member), await watch(owner)]
  await demand(false)
  await expect.poll(() => [again.ended, ownersAgain.ended]).toEqual([true, true])
  expect(ownersAgain.text).toContain('teams.second_factor_made_optional')
  expect(again.text).not.toContain('teams.')
})

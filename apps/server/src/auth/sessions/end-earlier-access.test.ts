import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSecurity, requestPasswordReset, resetPassword } from '@masthead/contract/account/security-operations'
import { listAssets } from '@masthead/contract/assets/operations'
import { login, register } from '@masthead/contract/auth/sign-in-operations'
import { getUserInfo, logout } from '@masthead/contract/auth/operations'
import { createApiKey } from '@masthead/contract/developers/operations'
import { createDeployment } from '@masthead/contract/core/operations'
import { createRobot } from '@masthead/contract/registry/operations'
import { createSchedule } from '@masthead/contract/reports/operations'
import { listAlerts } from '@masthead/contract/notifications/operations'
import { updateInvitation } from '@masthead/contract/teams/operations'
import { sql } from 'kysely'
import type { House } from '@masthead/testkit/house'
import type { IdentityProvider } from '@masthead/testkit/identity-provider'
import { newId } from '@masthead/contract/kernel/id'
import { addAsset } from '../../assets/test-stock.ts'
import { putReports } from '../../reports/test-report.ts'
import { newKey } from '../../developers/test-keys.ts'
import { newTestPasskey } from '../../factors/test-passkey.ts'
import { addInvitation } from '../../teams/test-teams.ts'
import { newBrowser, openVouchedHouse } from '../by-identity/test-provider.ts'

const people = ['dora', 'kate', 'lars', 'mona', 'emil', 'faye', 'gina', 'hugo', 'ines', 'jack'].map((sub) => ({
  sub,
  email: `${sub}@example.test`,
  email_verified: true,
}))
let house: House
let provider: IdentityProvider
beforeAll(async () => {
  ;({ house, provider } = await openVouchedHouse(people as never))
  // The first account of an installation is staff.
  await house.newOwner()
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

const rowOf = (email: string) => house.db.selectFrom('person').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

/** Opens an account with an address that is not theirs, and everything with which they could come back. */
async function squat(email: string) {
  const browser = newBrowser(house)
  await browser.call(register, { body: { email, password: 'nine lanterns under the pier', team_name: 'Theirs' } })
  const { id: person_id, account_id } = await rowOf(email)
  const at = house.clock.now()
  const owner = house.personWith(email, account_id, `masthead_session=${browser.cookies.get('masthead_session')}`)
  const key = (await newKey(house, owner, ['assets.view'])).secret
  const passkey = newTestPasskey().row
  await house.db
    .insertInto('passkey')
    .values({ ...passkey, id: newId('passkey'), person_id, name: 'x', created_at: at })
    .execute()
  await house.db.insertInto('authenticator').values({ person_id, sealed_secret: 'encrypted', started_at: at, confirmed_at: at }).execute()
  const linked = {
    issuer: provider.issuer,
    subject: `squatter of ${email}`,
    person_id,
    email: 'squatter@example.test',
    linked_at: at,
    used_at: at,
  }
  await house.db
    .insertInto('identity')
    .values({ id: newId('identity'), ...linked })
    .execute()
  const hook = { account_id, id: newId('webhook'), name: 'x', url: 'https://evil.test/', events: [], tags: [], sealed_secret: 'encrypted' }
  await house.db
    .insertInto('webhook')
    .values({ ...hook, created_by: person_id } as never)
    .execute()
  const accomplice = await house.newMember(owner, ['assets.view', 'profile.edit'])
  await addInvitation(house, owner, 'accomplice@example.test')
  await house.anyone.call(requestPasswordReset, { body: { email } })
  await house.settle()
  return { browser, owner, key, accomplice, person_id, account_id }
}

test('everything that could act for the account ends when the owner of the address comes by a provider', async () => {
  const { browser, owner, key, accomplice, person_id, account_id } = await squat('dora@example.test')
  const byKey = () => house.anyone.call(listAssets, {}, { 'x-api-key': key })
  expect([(await byKey()).status, (await accomplice.call(listAssets)).status]).toEqual([200, 200])
  const dora = newBrowser(house)
  expect(await dora.signIn('dora')).toBe('/#/profile')
  expect((await dora.call(getUserInfo)).body).toMatchObject({ email: 'dora@example.test', team_members: [] })

  expect((await browser.call(getUserInfo)).status).toBe(401)
  expect((await owner.call(getUserInfo)).status).toBe(401)
  expect((await byKey()).status).toBe(401)
  expect(await accomplice.call(getUserInfo)).toMatchObject({ status: 200, body: { acting_as: null, member_of: [] } })
  expect((await rowOf('dora@example.test')).password_hash).toBeNull()
  const left = async (table: 'passkey' | 'authenticator' | 'recovery_code' | 'one_time_secret' | 'identity_attempt') =>
    (await house.db.selectFrom(table).selectAll().where('person_id', '=', person_id).execute()).length
  for (const table of ['passkey', 'authenticator', 'recovery_code', 'one_time_secret', 'identity_attempt'] as const)
    expect([table, await left(table)]).toEqual([table, 0])
  for (const table of ['api_key', 'webhook', 'invitation', 'membership'] as const)
    expect([table, (await house.db.selectFrom(table).selectAll().where('account_id', '=', account_id).execute()).length]).toEqual([
      table,
      0,
    ])
  const identities = await house.db.selectFrom('identity').select('subject').where('person_id', '=', person_id).execute()
  expect(identities).toEqual([{ subject: 'dora' }])

  // They are notified: in the activities, by mail, by an alert, and on the profile.
  const words =
    'the password, two-factor authentication, 1 session, 1 passkey, 1 linked sign-in, 1 API key, 1 webhook, 1 member of the team, 1 invitation and 1 pending link'
  const event = (await house.events(account_id)).find(({ name }) => name === 'auth.earlier_access_ended')
  expect(event).toMatchObject({ detail: { password: true, api_keys: 1, webhooks: 1, passkeys: 1, sessions: 1, members: 1 } })
  expect((await house.mails('dora@example.test')).map(({ text }) => text).join('\n')).toContain(words)
  expect((await dora.call(getSecurity)).body).toMatchObject({ email_proven: true, earlier_access_ended: { words } })
  await house.settle()
  const alerts = (await dora.call(listAlerts)).body as unknown as { items: { title: string }[] }
  expect(alerts.items.map(({ title }) => title).join('\n')).toContain(words)
})

test('no robot, token of a deployment or claim code acts for it either, and nothing of it is mailed to addresses that others chose', async () => {
  const { owner, account_id } = await squat('kate@example.test')
  const { secret } = (await owner.call(createRobot, { body: { name: 'theirs', can_push: true } })).body
  const { id, token } = (await owner.call(createDeployment, { body: { name: 'theirs' } })).body
  const to = 'squatter@example.test'
  expect((await owner.call(createSchedule, { body: { kind: 'inventory', every: 'day', recipients: [to] } })).status).toBe(200)
  const [at, hash, created_by] = [house.clock.now(), Buffer.from('hash'), 'kate@example.test']
  const { id: asset_id } = await addAsset(house, owner)
  await house.db.insertInto('claim_code').values({ account_id, asset_id, hash, created_by, created_at: at, expires_at: at }).execute()
  await putReports(house, { account_id, email: created_by })
  await house.db
    .updateTable('report')
    .set({ recipients: [to] })
    .where('account_id', '=', account_id)
    .execute()
  const profile = { account_id, company: 'X', address: 'X', city: 'X', country: 'DE', emails: [to], changed_at: at, changed_by: created_by }
  await house.db.insertInto('billing_profile').values(profile).execute()
  const asRobot = () =>
    house.server.inject({
      url: '/v2/',
      headers: { host: 'console.test', authorization: `Basic ${Buffer.from(`robot:${secret}`).toString('base64')}` },
    })
  expect((await asRobot()).statusCode).toBe(200)

  const kate = newBrowser(house)
  expect(await kate.signIn('kate')).toBe('/#/profile')
  expect((await asRobot()).statusCode).toBe(401)
  const payload = { deployment_token: token, iccid: '8944500000120000018' }
  const enrolled = await house.server.inject({ method: 'POST', url: '/v1/core/deploy', headers: { host: 'console.test' }, payload })
  expect([enrolled.statusCode, enrolled.json().code]).toEqual([400, 'core_deployment_revoked'])
  const left = async (table: 'registry_robot' | 'claim_code' | 'report_link') =>
    (await house.db.selectFrom(table).selectAll().where('account_id', '=', account_id).execute()).length
  expect([await left('registry_robot'), await left('claim_code'), await left('report_link')]).toEqual([0, 0, 0])
  const { rows: mailed } = await sql<{ to: string[] }>`select recipients as to from report_schedule where account_id = ${account_id}
    union all select recipients from report where account_id = ${account_id} union all select emails from billing_profile where account_id = ${account_id}`.execute(
    house.db
  )
  expect(mailed.flatMap((row) => row.to)).toEqual([])
  const revoked = await house.db.selectFrom('core_deployment').select('revoked_at').where('id', '=', id).executeTakeFirstOrThrow()
  expect(revoked.revoked_at).not.toBeNull()
  const event = (await house.events(account_id)).find(({ name }) => name === 'auth.earlier_access_ended')
  expect(event).toMatchObject({ detail: { robots: 1, deployments: 1, claim_codes: 1, mailings: 2 } })
  const words = '1 robot of the registry, 1 CORE deployment, 1 claim code and 2 mailings to other addresses'
  expect((await kate.call(getSecurity)).body).toMatchObject({ earlier_access_ended: { words: expect.stringContaining(words) } })
})

const tokenFor = async (email: string) => {
  await house.anyone.call(requestPasswordReset, { body: { email } })
  await house.settle()
  const tokens = (await house.mails(email)).map(({ text }) => /token=([\w-]+)/.exec(text)?.[1])
  return tokens.findLast((token) => token !== undefined)!
}
const password = 'a boat with seven sails'

test('who comes by a mailed link for a new password finds it as whoever comes by a provider', async () => {
  const email = 'lars@example.test'
  const { owner, key, person_id, account_id } = await squat(email)
  expect((await owner.call(createRobot, { body: { name: 'theirs' } })).status).toBe(200)
  const reset = async (browser: ReturnType<typeof newBrowser>) => {
    expect((await browser.call(resetPassword, { body: { token: await tokenFor(email), password } })).status).toBe(200)
    return (await house.anyone.call(listAssets, {}, { 'x-api-key': key })).status
  }
  // The app of others keeps the owner out, so what waits for the address is not theirs to take either. Nor is their browser known then.
  const browser = newBrowser(house)
  expect([await reset(browser), (await rowOf(email)).email_proven_at, browser.cookies.size]).toEqual([200, null, 0])
  await house.db.deleteFrom('authenticator').where('person_id', '=', person_id).execute()
  expect(await reset(browser)).toBe(401)
  expect(await rowOf(email)).toMatchObject({ email_proven_by: 'mail' })
  for (const table of ['passkey', 'identity'] as const)
    expect([table, (await house.db.selectFrom(table).selectAll().where('person_id', '=', person_id).execute()).length]).toEqual([table, 0])
  for (const table of ['membership', 'registry_robot'] as const)
    expect([table, (await house.db.selectFrom(table).selectAll().where('account_id', '=', account_id).execute()).length]).toEqual([
      table,
      0,
    ])
  // It may have been they who opened it: what programs use is switched off, and not gone.
  for (const table of ['api_key', 'webhook'] as const) {
    const rows = await house.db.selectFrom(table).select('disabled_at').where('account_id', '=', account_id).execute()
    expect([table, rows.map(({ disabled_at }) => disabled_at !== null)]).toEqual([table, [true]])
  }
  const lars = newBrowser(house)
  expect((await lars.call(login, { body: { email, password } })).status).toBe(200)
  expect((await lars.call(getSecurity)).body).toMatchObject({ earlier_access_ended: { words: expect.stringContaining('1 passkey') } })
  const event = (await house.events(account_id)).find(({ name }) => name === 'auth.earlier_access_ended')
  expect(event).toMatchObject({ detail: { provider: '', api_keys: 1, robots: 1 } })
  expect((await house.mails(email)).map(({ text }) => text).join('\n')).toContain('switch on again what is yours')
})

test('in a browser that signed in with the address before, a new password ends the sessions alone', async () => {
  const email = 'mona@example.test'
  const { browser, key } = await squat(email)
  expect((await browser.call(resetPassword, { body: { token: await tokenFor(email), password } })).status).toBe(200)
  expect((await house.anyone.call(listAssets, {}, { 'x-api-key': key })).status).toBe(200)
  expect(await rowOf(email)).toMatchObject({ email_proven_by: 'mail' })
})

test('also of who had an account when nobody was asked, and counts as proved for invitations', async () => {
  const { key } = await squat('emil@example.test')
  const before = { email_proven_at: house.clock.now(), email_proven_by: 'before' as const }
  await house.db.updateTable('person').set(before).where('email', '=', 'emil@example.test').execute()
  expect(await newBrowser(house).signIn('emil')).toBe('/#/profile')
  expect((await house.anyone.call(listAssets, {}, { 'x-api-key': key })).status).toBe(401)
  expect(await rowOf('emil@example.test')).toMatchObject({ email_proven_by: 'provider' })
})

test('of who has shown that the address is theirs nothing ends, and with a second factor the provider is linked on the profile', async () => {
  const { key } = await squat('faye@example.test')
  const proved = { email_proven_at: house.clock.now(), email_proven_by: 'mail' as const }
  await house.db.updateTable('person').set(proved).where('email', '=', 'faye@example.test').execute()
  expect(await newBrowser(house).signIn('faye')).toBe('/#/login?problem=link_first')
  expect((await house.anyone.call(listAssets, {}, { 'x-api-key': key })).status).toBe(200)
})

test('where they wanted to go they come, when that is said', async () => {
  await squat('gina@example.test')
  expect(await newBrowser(house).signIn('gina', '/v1/auth/identity/start?redirect=%2Fassets')).toBe('/#/assets')
})

test('what is under way while it ends is waited for, or does not come about: no key and no invitation is left behind', async () => {
  const { owner, accomplice, account_id } = await squat('hugo@example.test')
  const hugo = newBrowser(house)
  const callback = await hugo.signInUntilCallback('hugo')
  const locks = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const underWay = await house.db.transaction().execute(async (tx) => {
    await tx.selectFrom('account').select('id').where('id', '=', account_id).forUpdate().execute()
    const making = owner.call(createApiKey, { body: { name: 'last', scopes: ['assets.view'] } })
    const inviting = accomplice.call(updateInvitation, { body: { email: 'third@example.test', permissions: ['assets.view'] } })
    await expect.poll(async () => (await locks.execute(house.db)).rows.length).toBe(2)
    const arriving = hugo.go(callback)
    const waits = expect.poll(async () => (await locks.execute(house.db)).rows.length).toBe(3)
    await Promise.any([waits, arriving])
    return { making, inviting, arriving }
  })
  await Promise.all(Object.values(underWay))
  expect((await hugo.call(getUserInfo)).body).toMatchObject({ email: 'hugo@example.test' })
  for (const table of ['api_key', 'invitation', 'membership'] as const)
    expect([table, await house.db.selectFrom(table).selectAll().where('account_id', '=', account_id).execute()]).toEqual([table, []])
})

test('an invitation that a member has begun to write is ended with the others', async () => {
  const { owner, accomplice, account_id } = await squat('jack@example.test')
  const jack = newBrowser(house)
  const callback = await jack.signInUntilCallback('jack')
  const locks = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const begun: Promise<unknown>[] = []
  const undone = house.db.transaction().execute(async (tx) => {
    const third = {
      account_id,
      email: 'third@example.test',
      permissions: [],
      tags: [],
      invited_by: owner.email,
      created_at: house.clock.now(),
    }
    await tx
      .insertInto('invitation')
      .values({ ...third, expires_at: house.clock.now() })
      .execute()
    begun.push(accomplice.call(updateInvitation, { body: { email: third.email, permissions: ['assets.view'] } }))
    await expect.poll(async () => (await locks.execute(house.db)).rows.length).toBe(1)
    const arriving = jack.go(callback)
    begun.push(arriving)
    await Promise.any([expect.poll(async () => (await locks.execute(house.db)).rows.length).toBe(2), arriving])
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await Promise.all(begun)
  expect((await jack.call(getUserInfo)).body).toMatchObject({ email: 'jack@example.test', team_members: [] })
  expect(await house.db.selectFrom('invitation').select('email').where('account_id', '=', account_id).execute()).toEqual([])
})

test('a browser is not known for an address because it was led to sign in to the account by an identity of somebody else', async () => {
  const { person_id } = await squat('ines@example.test')
  const lure = { sub: 'squatter of ines@example.test', email: 'lure@example.test', email_verified: true, name: 'Ines' }
  const ines = newBrowser(house)
  expect(await ines.call(login, { body: { access_token: provider.mint(lure) } })).toMatchObject({ body: { email: 'ines@example.test' } })
  await ines.call(logout)
  await house.db.deleteFrom('identity').where('person_id', '=', person_id).execute()
  await house.db.deleteFrom('passkey').where('person_id', '=', person_id).execute()
  await house.db.deleteFrom('authenticator').where('person_id', '=', person_id).execute()
  expect(await ines.signIn('ines')).toBe('/#/profile')
  expect((await rowOf('ines@example.test')).password_hash).toBeNull()
})

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { login } from '@masthead/contract/auth/sign-in-operations'
import { enterBackoffice } from '@masthead/contract/backoffice/access-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { runCommand } from './command.ts'
import { decryptGatewaySecret } from './gateways/index.ts'
import { keyIdOf, SecretKeys } from './kernel/secrets/secret-keys.ts'
import { enter, newScene } from './test-samples.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/none' }

/** Runs a command here, as it would run in a process of its own. */
async function masthead(words: string, env: NodeJS.ProcessEnv = { DATABASE_URL: house.databaseUrl, MASTHEAD_SECRET_KEY: testSecretKey }) {
  const [out, err]: string[][] = [[], []]
  const code = await runCommand(words.split(' '), { env, say: (text) => out!.push(text), complain: (text) => err!.push(text) })
  return { code, out: out!.join('\n'), err: err!.join('\n') }
}

test('help needs no database; what is not understood is said with exit code 2 and nothing is done', async () => {
  expect(await masthead('help', nowhere)).toMatchObject({ code: 0, out: expect.stringContaining('staff grant EMAIL') })
  for (const [words, told] of [
    ['staff promote a@b.test', /^There is no command staff promote\./],
    ['staff grant', /^staff grant needs more words\./],
    ['staff grant a@b.test root', /^root is no staff permission: there are backoffice,/],
    ['person groups a@b.test Not_Small', /^Not_Small is no name of a group: Use a-z/],
    ['staff revoke a@b.test c@d.test', /^staff revoke does not know what to do with c@d.test\./],
    ['gateway list --legacy', /^gateway list does not take --legacy\./],
    ['gateway add pgw 10.0.0.256', /^10.0.0.256 is not an IP address\./],
    ['gateway add pgw 10.0.0.1 --coa-port 70000', /^70000 is not a port/],
    ['gateway add pgw 10.0.0.1 --secrets x', /secrets/],
    ['roll-ups rebuild 2026-02-30 2026-03-01', /^2026-02-30 is not a day/],
    ['roll-ups rebuild 2026-03-01 2026-03-01', /second day/],
    ['roll-ups verify 2026-03-01 2026-03-01', /second day/],
  ] as const) {
    const { code, out, err } = await masthead(words)
    expect([words, code, out]).toEqual([words, 2, ''])
    expect(err).toMatch(told)
  }
})

test('a database that is away is one sentence and exit code 1', async () => {
  const { code, err } = await masthead('staff list', nowhere)
  expect(code).toBe(1)
  expect(err).toBe(
    'The database at DATABASE_URL cannot be reached (connect ECONNREFUSED 127.0.0.1:1). See that it runs and lets us in, then try again.'
  )
})

test('a file that is not there is one sentence; the database of DATABASE_URL is not repeated with its password', async () => {
  expect(await masthead('inventory load /no/such.csv')).toMatchObject({ code: 1, err: 'There is no file /no/such.csv.' })
  expect(await masthead('database')).toEqual({ code: 1, out: '', err: 'The database is the one that DATABASE_URL names.' })
})

test('staff are made and unmade at the machine, and it is recorded', async () => {
  const { owner, account_id } = await newScene(house)
  expect(await masthead(`staff grant ${owner.email.toUpperCase()} backoffice audit_logs`)).toMatchObject({ code: 0, err: '' })
  expect((await masthead('staff list')).out).toMatch(new RegExp(`^E-MAIL +PERMISSIONS\n${owner.email} +backoffice, audit_logs$`))
  const token = await enter(house, owner, ['backoffice'])
  expect((await masthead(`staff grant ${owner.email}`)).out).toContain('manage_staff')
  // Nobody would be left who manages staff.
  for (const less of [
    `staff revoke ${owner.email}`,
    `staff grant ${owner.email} backoffice audit_logs`,
    `staff grant ${owner.email} manage_staff`,
  ])
    expect(await masthead(less)).toEqual({
      code: 1,
      out: '',
      err: 'Nobody could manage staff any more. Grant that permission to somebody else first, or say --leave-nobody to do it all the same.',
    })
  expect(await masthead(`staff revoke ${owner.email} --leave-nobody`)).toMatchObject({ code: 0 })
  expect(await owner.call(enterBackoffice, { body: { password: 'x', reason: 'why not' } }, { 'x-backoffice-token': token })).toMatchObject({
    status: 403,
    body: { code: 'not_staff' },
  })
  expect(await house.db.selectFrom('backoffice_stay').select('id').where('ended_at', 'is', null).execute()).toEqual([])
  expect((await house.events(account_id)).map(({ name, actor_email }) => [name, actor_email])).toEqual(
    expect.arrayContaining([
      ['backoffice.staff_granted', 'system'],
      ['backoffice.staff_revoked', 'system'],
    ])
  )
  expect(await masthead('staff grant nobody@example.test')).toEqual({
    code: 1,
    out: '',
    err: 'Nobody is registered with the e-mail nobody@example.test.',
  })
})

test('gateways are added, listed without their secrets, given another secret and forgotten', async () => {
  const secretOf = async (address: string) => {
    const row = await house.db.selectFrom('gateway_address').select(['id', 'secret']).where('address', '=', address).executeTakeFirst()
    return row && decryptGatewaySecret(house.db, row.id, row.secret)
  }
  const added = await masthead('gateway add pgw 10.7.0.1')
  const secret = / Its secret is (\S{32})$/.exec(added.out)?.[1]
  expect(await secretOf('10.7.0.1')).toBe(secret)
  expect((await masthead('gateway add pgw 2001:db8::7 --secret known-to-nobody-1 --legacy --coa-port 3800')).out).toBe(
    'pgw at 2001:db8::7 may report now.'
  )
  expect(await masthead('gateway add other 10.7.0.1')).toMatchObject({ code: 1, err: 'pgw has the address 10.7.0.1 already.' })
  const list = (await masthead('gateway list')).out
  expect(list).toMatch(/^pgw +2001:db8::7 +3800 +yes +never$/m)
  expect(list).not.toMatch(new RegExp(`known-to-nobody-1|${secret}`))
  expect((await masthead('gateway remove pgw')).err).toMatch(/^Several gateways are named pgw\. Say which by its address: /)
  expect((await masthead('gateway secret pgw')).err).toBe('pgw reports from several addresses. Say which: 10.7.0.1, 2001:db8::7.')
  expect((await masthead('gateway secret 10.7.0.1 --secret another-known-to-none')).code).toBe(0)
  expect((await masthead('gateway add-address 10.7.0.1 10.7.0.2 --secret second-known-to-none')).out).toBe(
    '10.7.0.1 may report from 10.7.0.2 too.'
  )
  expect(await secretOf('10.7.0.2')).toBe('second-known-to-none')
  expect((await masthead('gateway join 10.7.0.1 2001:db8::7')).out).toBe('2001:db8::7 is a part of 10.7.0.1 now.')
  for (const address of ['10.7.0.2', '2001:db8::7'])
    expect((await masthead(`gateway remove-address ${address}`)).out).toBe(`Nothing is taken from ${address} any more.`)
  expect((await masthead('gateway remove-address 10.7.0.1')).err).toMatch(/^A gateway has at least one address\./)
  expect(await secretOf('10.7.0.1')).toBe('another-known-to-none')
  expect((await masthead('gateway remove 10.7.0.1')).out).toBe('10.7.0.1 is forgotten.')
  expect(await secretOf('10.7.0.1')).toBeUndefined()
  expect((await masthead('gateway remove 10.7.0.1')).err).toBe('There is no gateway with the name or address 10.7.0.1.')
})

test('secrets are encrypted with another key by a command', async () => {
  await masthead('gateway add rot 10.7.0.30 --secret known-to-nobody-1')
  const row = () =>
    house.db.selectFrom('gateway_address').select(['id', 'secret']).where('address', '=', '10.7.0.30').executeTakeFirstOrThrow()
  const before = await row()
  const keys = `${Buffer.alloc(32, 'next').toString('base64')},${testSecretKey}`
  const { code, out } = await masthead('secrets rotate', { DATABASE_URL: house.databaseUrl, MASTHEAD_SECRET_KEY: keys })
  const after = await row()
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^\\d+ secrets are encrypted with the key ${keyIdOf(after.secret)} now\\.$`)),
  ])
  expect(keyIdOf(after.secret)).not.toBe(keyIdOf(before.secret))
  const held = new SecretKeys({ secretKeys: keys.split(',').map((key) => Buffer.from(key, 'base64')) })
  expect(decryptGatewaySecret({ keys: held }, after.id, after.secret)).toBe('known-to-nobody-1')
  // Without the new key nothing that reads or encrypts secrets goes on.
  const lost = await masthead('gateway secret rot', {
    DATABASE_URL: house.databaseUrl,
    MASTHEAD_SECRET_KEY: Buffer.alloc(32, 'no').toString('base64'),
  })
  expect(lost).toMatchObject({ code: 1, err: expect.stringContaining(keyIdOf(after.secret)) })
  await masthead('secrets rotate', { DATABASE_URL: house.databaseUrl, MASTHEAD_SECRET_KEY: keys.split(',').reverse().join() })
})

test('a gateway whose reports are on record stays', async () => {
  await masthead('gateway add busy 10.7.0.9')
  const { id } = await house.db.selectFrom('gateway').select('id').where('name', '=', 'busy').executeTakeFirstOrThrow()
  const at = house.clock.now()
  await house.db
    .insertInto('quarantine')
    .values({
      id: 'qua_1',
      reason: 'unknown_sim',
      gateway_id: id,
      nas: 'x',
      acct_session_id: 'x',
      identity: 'x',
      imsi: null,
      msisdn: null,
      user_name: null,
      first_at: at,
      last_at: at,
      mccmnc: null,
      rat: null,
      last_packet: '{}',
    })
    .execute()
  expect(await masthead('gateway remove busy')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^What busy reported is on record, so it stays/),
  })
})

test('stock is loaded from a file beside the caller; bad lines are reported and make it fail', async () => {
  const { owner, account_id } = await newScene(house)
  const folder = await mkdtemp(join(tmpdir(), 'masthead-command-'))
  const env = { DATABASE_URL: house.databaseUrl, MASTHEAD_SECRET_KEY: testSecretKey, INIT_CWD: folder }
  await writeFile(
    join(folder, 'good.csv'),
    'type,serial,iccid,imsi\nplastic_sim,CMD-1,8949020000000000017,901280000000017\nalpon_x4,CMD-2,,\n'
  )
  await writeFile(join(folder, 'bad.csv'), 'type,serial\ncar,CMD-3\nplastic_sim,CMD-4\n')
  expect(await masthead('inventory load good.csv', env)).toMatchObject({ code: 0, out: '2 rows: 2 loaded, 0 there already, 0 refused.' })
  expect(await masthead('inventory load good.csv', env)).toMatchObject({ code: 0, out: '2 rows: 0 loaded, 2 there already, 0 refused.' })
  expect((await masthead(`inventory load good.csv --account ${owner.email} --active`, env)).code).toBe(0)
  const assets = await house.db
    .selectFrom('asset')
    .select(['serial', 'sim_status'])
    .where('account_id', '=', account_id)
    .where('serial', 'like', 'CMD%')
    .orderBy('serial')
    .execute()
  expect(assets).toEqual([
    { serial: 'CMD-1', sim_status: 'active' },
    { serial: 'CMD-2', sim_status: null },
  ])
  const bad = await masthead('inventory load bad.csv', env)
  expect(bad).toMatchObject({ code: 1, out: '' })
  expect(bad.err).toMatch(/^line 2: "car" is not a type: picolte, .*\n2 rows: 1 loaded, 0 there already, 1 refused\.$/)
  expect(await masthead('inventory load missing.csv', env)).toMatchObject({ code: 1, err: expect.stringContaining('missing.csv') })
  expect(await masthead('inventory load good.csv --account nobody@example.test', env)).toMatchObject({ code: 1 })
  await rm(folder, { recursive: true })
})

test('as a program of its own it answers with its exit code', async () => {
  const program = fileURLToPath(new URL('./command.ts', import.meta.url))
  const run = (words: string[]) =>
    promisify(execFile)(process.execPath, [program, ...words], {
      env: { ...process.env, DATABASE_URL: house.databaseUrl, MASTHEAD_SECRET_KEY: testSecretKey },
    })
  expect((await run(['gateway', 'list'])).stdout).toContain('LAST SEEN')
  await expect(run(['gateway', 'lost'])).rejects.toMatchObject({ code: 2, stdout: '' })
})

test('whoever lost their second factor signs in by password again; what the operator did is an event', async () => {
  const { owner } = await newScene(house)
  const { id } = await house.db.selectFrom('person').select('id').where('email', '=', owner.email).executeTakeFirstOrThrow()
  await house.db.updateTable('authenticator').set({ confirmed_at: house.clock.now() }).where('person_id', '=', id).execute()
  const signIn = () => house.anyone.call(login, { body: { email: owner.email, password: 'correct horse battery' } })
  expect((await signIn()).status).toBe(403)
  expect(await masthead(`person reset-second-factor ${owner.email.toUpperCase()}`)).toMatchObject({
    code: 0,
    out: `${owner.email} signs in by password alone now, and was notified by mail.`,
  })
  expect((await signIn()).status).toBe(200)
  expect((await house.events(owner.account_id)).at(-1)).toMatchObject({ name: 'auth.second_factor_off', actor_email: 'system' })
  expect((await masthead(`person reset-second-factor ${owner.email}`)).out).toContain('had no second factor')
  expect(await masthead('person reset-second-factor nobody@example.test')).toMatchObject({
    code: 1,
    err: 'Nobody is registered with the e-mail nobody@example.test.',
  })
})

test('somebody is signed out everywhere, or everybody is', async () => {
  const [ann, ben] = [await house.newOwner('ann'), await house.newOwner('ben')]
  const again = await house.newVisit(ann)
  const statuses = async () => {
    const answers = [await ann.call(getUserInfo), await again.call(getUserInfo), await ben.call(getUserInfo)]
    return answers.map(({ status }) => status)
  }
  expect(await statuses()).toEqual([200, 200, 200])
  expect(await masthead(`person sign-out ${ann.email.toUpperCase()}`)).toMatchObject({ code: 0, out: '2 sessions ended.' })
  expect(await statuses()).toEqual([401, 401, 200])
  expect((await house.events(ann.account_id)).at(-1)).toMatchObject({ name: 'auth.sessions_ended', actor_email: 'system' })
  expect((await masthead('person sign-out')).code).toBe(2)
  expect((await masthead('person sign-out nobody@example.test')).code).toBe(1)
  expect((await masthead('person sign-out --all')).code).toBe(0)
  expect(await statuses()).toEqual([401, 401, 401])
})

test('roll-ups are proven and counted anew; what is wrong is exit code 1', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const later = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await house.db
    .insertInto('usage_day')
    .values({ account_id: 'acc_wrong', sim_id: 'sim_wrong', day: today, mccmnc: '', rat: '', bytes_up: 1, bytes_down: 0 })
    .execute()
  expect(await masthead(`roll-ups verify ${today} ${later}`)).toMatchObject({ code: 1, err: expect.stringContaining('1 days of SIMs') })
  expect(await masthead(`roll-ups rebuild ${today} ${later}`)).toMatchObject({ code: 0, out: expect.stringContaining('counted anew') })
  expect(await masthead(`roll-ups verify ${today} ${later}`)).toMatchObject({
    code: 0,
    out: expect.stringContaining('the sums of their records'),
  })
})

test('person groups puts somebody into groups, and out of those that are not named', async () => {
  const owner = await house.newOwner('grouped')
  const groups = async () => (await owner.call(getUserInfo)).body.groups
  expect(await masthead(`person groups ${owner.email.toUpperCase()} late beta`)).toMatchObject({
    code: 0,
    out: `${owner.email} is in beta, late.`,
  })
  expect(await groups()).toEqual(['beta', 'late'])
  expect(await masthead(`person groups ${owner.email}`)).toMatchObject({ code: 0, out: `${owner.email} is in no group.` })
  expect(await groups()).toEqual([])
  expect((await house.events(owner.account_id)).map(({ name, actor_email }) => [name, actor_email])).toEqual([
    ['backoffice.groups_changed', 'system'],
    ['backoffice.groups_changed', 'system'],
  ])
  expect(await masthead('person groups nobody@example.test beta')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nobody is registered') as string,
  })
})

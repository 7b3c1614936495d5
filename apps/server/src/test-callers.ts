import { switchAccount } from '@masthead/contract/auth/operations'
import { viewAccount } from '@masthead/contract/backoffice/account-operations'
import { newId } from '@masthead/contract/kernel/id'
import { permissions, staffPermissions } from '@masthead/contract/kernel/permission'
import type { House, Person } from '@masthead/testkit/house'
import { signBackofficeToken } from './auth/index.ts'
import { enterStaff } from './backoffice/test-backoffice.ts'
import { newKey, withKey } from './developers/test-keys.ts'
import { viewPermissions } from './kernel/app.ts'
import { enter, newScene, type Scene } from './test-samples.ts'

/** A column of the matrix: who calls, what they may at that moment, and whose things their requests name. */
export type Caller = {
  name: string
  kind: 'nobody' | 'owner' | 'member' | 'limited' | 'key' | 'staff' | 'acting' | 'viewing' | 'elsewhere' | 'lacking'
  call: House['anyone']['call'] | Person['call']
  /** On the account: `all` for its owner. */
  may: 'all' | readonly string[]
  /** Staff permissions in force. */
  staff: readonly string[]
  scene: Scene
  /** Makes it so, before the first call. */
  prepare?: () => Promise<unknown>
}
const all = Object.keys(permissions)
const allStaff = Object.keys(staffPermissions)

/** The columns, known before there is a house. */
export const callerNames = [
  'nobody signed in',
  'a session that is none',
  'the owner',
  'the owner of a suspended account',
  'another account’s ids',
  'a member without a permission',
  ...all.map((name) => `a member with ${name}`),
  'a member limited to a foreign tag',
  'an owner who signed in without the second factor that they demand',
  'a member who signed in without the second factor that is demanded',
  'a key without a scope',
  ...all.map((name) => `a key with ${name}`),
  'staff without a token',
  'staff with another’s token',
  'staff with a forged token',
  'staff with an expired token',
  ...allStaff.map((name) => `staff with a token for ${name}`),
  'staff with a token for everything',
  'staff acting as a team',
  'staff looking at a customer’s account',
]

/** Every kind of caller, over one account, a second one whose owner is also a member of the first, and a third one of staff. */
export async function newCallers(house: House): Promise<Caller[]> {
  const [account, other, office] = [await newScene(house), await newScene(house), await newScene(house)]
  const suspended = await newScene(house)
  await house.db
    .updateTable('account')
    .set({ suspended_at: house.clock.now(), suspended_reason: 'Unpaid' })
    .where('id', '=', suspended.account_id)
    .execute()
  const member = await actOn(house, other, account)
  const demanding = await newScene(house)
  const lacking = await actOn(house, other, demanding)
  await house.db
    .updateTable('account')
    .set({ second_factor_demanded_at: house.clock.now() })
    .where('id', '=', demanding.account_id)
    .execute()
  const key = await newKey(house, account.owner, all, { calls_per_minute: 6000 })
  const foreign = newId('tag')
  await house.db.insertInto('tag').values({ account_id: account.account_id, id: foreign, name: 'foreign', color: 'teal' }).execute()

  const tokens = new Map<string, string>()
  for (const name of allStaff) tokens.set(name, await enter(house, office.owner, ['backoffice', name]))
  const token = await enter(house, office.owner, allStaff)
  const expired = await oldToken(house, office)
  const acting = await actOn(house, office, account)
  const viewer = await enterStaff(house)
  const looked = await viewer.call(viewAccount, { params: { email: account.owner.email }, body: { reason: 'The matrix' } })
  if (looked.status !== 200) throw new Error(looked.text)

  const owner = { kind: 'owner', may: 'all', staff: [] } as const
  const none = { kind: 'nobody', may: [], staff: [], scene: account } as const
  const asMember = (name: string, may: string[], tags: string[] = []): Caller => ({
    name,
    kind: tags.length > 0 ? 'limited' : 'member',
    may,
    staff: [],
    call: member.call,
    scene: mixed(account, other),
    prepare: () => member.grant(may, tags),
  })
  const asKey = (name: string, may: string[]): Caller => ({
    name,
    kind: 'key',
    may,
    staff: [],
    call: withKey(house, key.secret).call,
    scene: account,
    prepare: () => house.db.updateTable('api_key').set({ scopes: may }).where('id', '=', key.id).execute(),
  })
  const asStaff = (name: string, staff: readonly string[], given: string, more: Partial<Caller> = {}): Caller => ({
    name,
    kind: 'staff',
    may: 'all',
    staff,
    call: withToken(office.owner.call, given),
    scene: office,
    ...more,
  })
  return [
    { name: 'nobody signed in', ...none, call: house.anyone.call },
    { name: 'a session that is none', ...none, call: withCookie(house, 'masthead_session=x') },
    { name: 'the owner', ...owner, call: account.owner.call, scene: account },
    { name: 'the owner of a suspended account', ...owner, call: suspended.owner.call, scene: suspended },
    { name: 'another account’s ids', ...owner, kind: 'elsewhere', call: other.owner.call, scene: account },
    asMember('a member without a permission', []),
    ...all.map((name) => asMember(`a member with ${name}`, [name])),
    asMember('a member limited to a foreign tag', all, [foreign]),
    {
      name: 'an owner who signed in without the second factor that they demand',
      ...owner,
      kind: 'lacking',
      call: demanding.owner.call,
      scene: demanding,
    },
    {
      name: 'a member who signed in without the second factor that is demanded',
      kind: 'lacking',
      may: all,
      staff: [],
      call: lacking.call,
      scene: mixed(demanding, other),
      prepare: () => lacking.grant(all, []),
    },
    asKey('a key without a scope', []),
    ...all.map((name) => asKey(`a key with ${name}`, [name])),
    asStaff('staff without a token', [], '', { call: office.owner.call }),
    asStaff('staff with another’s token', [], viewer.token),
    asStaff('staff with a forged token', [], `${token.slice(0, -4)}AAAA`),
    asStaff('staff with an expired token', [], expired),
    ...allStaff.map((name) => asStaff(`staff with a token for ${name}`, ['backoffice', name], tokens.get(name)!)),
    asStaff('staff with a token for everything', allStaff, token),
    asStaff('staff acting as a team', [], token, {
      kind: 'acting',
      may: ['assets.view'],
      call: withToken(acting.call, token),
      scene: mixed(account, office),
      prepare: () => acting.grant(['assets.view'], []),
    }),
    asStaff('staff looking at a customer’s account', [], '', {
      kind: 'viewing',
      may: viewPermissions,
      call: viewer.call,
      scene: account,
    }),
  ]
}

/** The things of an account, and those of a person who works on it. */
const mixed = (account: Scene, { owner, colleague, security, identity_id, team: { host, second, team } }: Scene): Scene => ({
  ...account,
  owner,
  colleague,
  security,
  identity_id,
  team: { ...account.team, host, second, team },
})

const withToken =
  (call: Person['call'], token: string): Person['call'] =>
  (op, input, headers = {}) =>
    call(op, input, { 'x-backoffice-token': token, ...headers })

const withCookie =
  (house: House, cookie: string): Person['call'] =>
  (op, input, headers = {}) =>
    house.anyone.call(op, input, { ...headers, cookie: [cookie, headers.cookie].filter(Boolean).join('; ') })

/** What the token of a stay that was over a minute ago is today, for everything. */
async function oldToken(house: House, { security: { person_id } }: Scene): Promise<string> {
  const [at, expires_at] = [31, 1].map((minutes) => new Date(house.clock.now().getTime() - minutes * 60_000)) as [Date, Date]
  const stay = { id: newId('stay'), person_id, expires_at }
  await house.db
    .insertInto('backoffice_stay')
    .values({ ...stay, reason: 'Long ago', ip: null, started_at: at, ended_at: null })
    .execute()
  return signBackofficeToken(house.db, { ...stay, permissions: allStaff, at })
}

/** Makes the owner of one account a member of another, in a session that acts on it. */
async function actOn(house: House, { owner: person, security: { person_id } }: Scene, { account_id, owner }: Scene) {
  await house.db.insertInto('membership').values({ account_id, person_id, permissions: [], tags: [] }).execute()
  const visit = await house.newVisit(person)
  const switched = await visit.call(switchAccount, { body: { team_member_email: owner.email } })
  if (switched.status !== 200) throw new Error(switched.text)
  const cookie = [switched.headers['set-cookie'] ?? []]
    .flat()
    .map(String)
    .find((one) => one.startsWith('masthead_session='))
  return {
    call: withCookie(house, cookie?.split(';')[0] ?? visit.cookie),
    grant: (granted: string[], tags: string[]) =>
      house.db
        .updateTable('membership')
        .set({ permissions: granted, tags })
        .where('account_id', '=', account_id)
        .where('person_id', '=', person_id)
        .execute(),
  }
}

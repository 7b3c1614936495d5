import { describe, expect, test } from 'vitest'
import type { Permitted } from '../api/may.ts'
import { guard, leavesBackoffice, tokenExpiry, type GuardedRoute, type GuardState, type Verdict } from './guard.ts'

const owner: Permitted = { permissions: ['backoffice', 'audit_logs'], groups: ['beta', 'early'], acting_as: null, member_of: [] }
const member: Permitted = {
  ...owner,
  acting_as: 'owner@x.test',
  member_of: [{ email: 'owner@x.test', permissions: ['assets.view', 'usage.view'] }],
}
const customer: Permitted = { ...owner, permissions: [] }

const token = (claims: object) => `head.${btoa(JSON.stringify(claims)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.sign`
const now = 1_000
const valid = token({ exp: 1_001 })
const expired = token({ exp: 1_000 })

const state = (over: Partial<GuardState>): GuardState => ({
  hash: '#/assets',
  intended: '/assets?page=2',
  user: owner,
  backofficeToken: null,
  now,
  ...over,
})
const stay: Verdict = { stay: true }
const login: Verdict = { go: '/login?redirect=%2Fassets%3Fpage%3D2' }
const team: Verdict = { go: '/teams-redirect?wanted=%2Fassets%3Fpage%3D2' }
const access: Verdict = { go: '/masa/access?redirect_url=%2Fassets%3Fpage%3D2' }
const staffRoute: GuardedRoute = { permissions: ['backoffice'], backofficeToken: true }
/** A route on which every step has something to say. */
const hard: GuardedRoute = {
  groups: ['none'],
  teamPermissions: ['core.view'],
  permissions: ['backoffice', 'manage_networks'],
  backofficeToken: true,
}

const cases: [string, Partial<GuardState>, GuardedRoute, Verdict][] = [
  ['a public route asks nothing', { user: null, hash: '#access_token=x' }, { public: true }, stay],
  // 1
  [
    'an access token goes to the sign-in with its data',
    { hash: '#access_token=abc&state=1' },
    {},
    { go: '/login?access_token=abc&state=1' },
  ],
  ['also behind a slash', { hash: '#/access_token=abc' }, {}, { go: '/login?access_token=abc' }],
  ['a name that only ends like it does not', { hash: '#/assets?search=my_access_token' }, {}, stay],
  ['step 1 comes before step 2', { hash: '#access_token=abc', user: undefined }, {}, { go: '/login?access_token=abc' }],
  // 2
  ['not asked yet: ask', { user: undefined }, {}, { ask: 'user_info' }],
  ['nobody: sign in, and come back here', { user: null }, {}, login],
  ['nobody on the overview: there is nothing to come back to', { user: null, intended: '/' }, {}, { go: '/login' }],
  ['step 2 comes before steps 3 to 7', { user: null }, hard, login],
  ['somebody on a route without needs', {}, {}, stay],
  // 3
  ['all groups present', {}, { groups: ['beta', 'early'] }, stay],
  ['a single group, given as a word', {}, { groups: 'beta' }, stay],
  ['a single group that is missing', {}, { groups: 'late' }, { go: '/' }],
  ['one group missing', {}, { groups: ['beta', 'late'] }, { go: '/' }],
  ['step 3 comes before step 4', { user: member }, { groups: ['late'], teamPermissions: ['core.view'] }, { go: '/' }],
  // 4
  ['an owner needs no team permission', {}, { teamPermissions: ['core.view'] }, stay],
  ['a member with all', { user: member }, { teamPermissions: ['assets.view', 'usage.view'] }, stay],
  ['a member without one of them', { user: member }, { teamPermissions: ['assets.view', 'core.view'] }, team],
  ['acting on an account without a membership', { user: { ...member, member_of: [] } }, { teamPermissions: ['assets.view'] }, team],
  ['step 4 comes before step 5', { user: member }, { teamPermissions: ['core.view'], permissions: ['manage_networks'] }, team],
  // 5
  ['all permissions', {}, { permissions: ['backoffice', 'audit_logs'] }, stay],
  [
    'one permission missing: the overview says which',
    { intended: '/masa/gateways' },
    { permissions: ['backoffice', 'manage_networks'] },
    { go: '/?wanted=%2Fmasa%2Fgateways' },
  ],
  ['who is no staff hears nothing of it', { user: customer }, { permissions: ['backoffice', 'manage_networks'] }, { go: '/' }],
  ['the backoffice while acting as a team', { user: member }, { permissions: ['backoffice'] }, team],
  ['a missing permission is said before acting is', { user: { ...member, permissions: [] } }, { permissions: ['backoffice'] }, { go: '/' }],
  ['another permission while acting as a team', { user: member }, { permissions: ['audit_logs'] }, stay],
  ['step 5 comes before step 6', { user: customer }, staffRoute, { go: '/' }],
  // 6
  ['no token', {}, staffRoute, access],
  ['a token that cannot be read', { backofficeToken: 'x.y.z' }, staffRoute, access],
  ['a token without an expiry', { backofficeToken: token({}) }, staffRoute, access],
  ['an expired token', { backofficeToken: expired }, staffRoute, access],
  ['a valid token', { backofficeToken: valid }, staffRoute, stay],
  ['step 6 comes before step 7', { backofficeToken: expired }, { ...staffRoute, backofficeAccess: true }, access],
  // 7
  [
    'the access screen with a valid token',
    { backofficeToken: valid },
    { permissions: ['backoffice'], backofficeAccess: true },
    { back: 1 },
  ],
  ['the access screen without one', { backofficeToken: expired }, { permissions: ['backoffice'], backofficeAccess: true }, stay],
]

describe('guard', () => {
  test.each(cases)('%s', (_name, over, route, verdict) => {
    expect(guard(state(over), route)).toEqual(verdict)
  })
})

test('the expiry is read of base64url too', () => {
  expect(tokenExpiry(token({ exp: 7, name: 'ÿ?>~' }))).toBe(7)
})

test.each<[string, GuardedRoute | undefined, GuardedRoute | undefined, boolean]>([
  ['to a screen of the account', staffRoute, {}, true],
  ['to the sign-in', staffRoute, { public: true }, true],
  ['to another screen of the backoffice', staffRoute, staffRoute, false],
  ['to where its token is got', staffRoute, { permissions: ['backoffice'], backofficeAccess: true }, false],
  ['into it', {}, staffRoute, false],
  ['outside of it', {}, {}, false],
  ['the first screen of all', undefined, {}, false],
])('leaving the backoffice: %s', (_name, from, to, leaves) => {
  expect(leavesBackoffice(from, to)).toBe(leaves)
})

import { describe, expect, test } from 'vitest'
import { inGroups, mayUser, type Permitted } from './may.ts'

const owner: Permitted = {
  permissions: [],
  groups: ['beta'],
  acting_as: null,
  member_of: [{ email: 'o@x.test', permissions: ['assets.view'] }],
}
const member: Permitted = { ...owner, acting_as: 'o@x.test' }
const staff: Permitted = { ...owner, permissions: ['backoffice'] }

describe('mayUser (spec §6)', () => {
  test.each([
    ['an owner may everything', owner, 'billing.edit', true],
    ['but has no staff permission by that', owner, 'backoffice', false],
    ['a member may what the membership grants', member, 'assets.view', true],
    ['and nothing else', member, 'assets.edit', false],
    ['acting on an account one is no member of', { ...member, acting_as: 'p@x.test' }, 'assets.view', false],
    ['staff have their own', staff, 'backoffice', true],
    ['but not while acting as a team account', { ...staff, acting_as: 'o@x.test' }, 'backoffice', false],
    ['nobody may nothing', null, 'assets.view', false],
  ])('%s', (_name, user, permission, allowed) => expect(mayUser(user, permission)).toBe(allowed))
})

test('all groups must be present', () => {
  expect([inGroups(owner, ['beta']), inGroups(owner, ['beta', 'late']), inGroups(owner, [])]).toEqual([true, false, true])
  expect([inGroups(owner, 'beta'), inGroups(owner, 'late'), inGroups(owner, 'bet')]).toEqual([true, false, false])
})

import { expect, test } from 'vitest'
import { ownAccount } from './problems.ts'
import { memberWords, whyNotManage, whyNotOnAccount } from './staff-rules.ts'

const me = { email: 'me@staff.test', permissions: ['backoffice', 'manage_staff'] }
const customer = { email: 'owner@customer.test', permissions: [], for_others: false }
const ofStaff = { ...customer, permissions: ['backoffice', 'audit_logs'] }

test('a customer’s account is open to staff, unless they are a member of it and a colleague is not', () => {
  expect(whyNotOnAccount(me, customer)).toBeNull()
  expect(whyNotOnAccount(me, { ...customer, for_others: true })).toBe(memberWords)
  expect(whyNotManage(me.permissions, customer)).toBeNull()
  expect(whyNotManage(me.permissions, { ...customer, for_others: true })).toBe(memberWords)
})

test('one’s own account, and one of somebody who may more, say so first, as the server does', () => {
  expect(whyNotOnAccount(me, { ...customer, email: me.email, for_others: true })).toBe(ownAccount.title)
  expect(whyNotOnAccount(me, { ...ofStaff, for_others: true })).toContain('permissions that you do not have')
  expect(whyNotManage(['backoffice'], { ...customer, for_others: true })).toContain('You need the permission')
})

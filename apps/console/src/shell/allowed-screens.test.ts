import { expect, test } from 'vitest'
import type { Permitted } from '../api/may.ts'
import { allowedEntries, lackedFor } from './allowed-screens.ts'
import type { MenuGroup } from './menu.ts'

const member: Permitted = {
  permissions: ['backoffice'],
  groups: [],
  acting_as: 'o@x.test',
  member_of: [{ email: 'o@x.test', permissions: ['usage.view', 'community'] }],
}
const owner: Permitted = { ...member, acting_as: null }
const menu: MenuGroup[] = [
  {
    title: 'Operations',
    entries: [
      { label: 'Overview', to: '/', permission: 'overview.view' },
      { label: 'Cellular', children: [{ label: 'Total Data Usage', to: '/usage/total', permission: 'usage.view' }] },
      { label: 'Help', children: [{ label: 'Community', to: '/community' }] },
    ],
  },
  { title: 'Backoffice', backoffice: true, entries: [{ label: 'Dashboard', to: '/masa', permission: 'backoffice' }] },
]
const screens = [
  { path: '/', title: 'Hello', teamPermissions: ['overview.view'] },
  { path: '/assets/:assetID', title: 'Asset', teamPermissions: ['assets.view', 'usage.view'] },
  { path: '/masa', title: 'Backoffice', permissions: ['backoffice'] },
  { path: '/activities', title: 'Recent Activities' },
]

test('the first row one may see is where one is led after a switch', () => {
  expect(allowedEntries(menu, member).map(({ to }) => to)).toEqual(['/usage/total', '/community'])
  expect(allowedEntries(menu, owner)[0]!.to).toBe('/')
  expect(allowedEntries(menu, { ...member, member_of: [] })).toEqual([])
})

test.each([
  ['/', { title: 'Hello', lacked: ['overview.view'] }],
  ['/assets/ast_1?tab=sim', { title: 'Asset', lacked: ['assets.view'] }],
  ['/masa', { title: 'Backoffice', lacked: ['backoffice'] }],
  ['/activities', { title: 'Recent Activities', lacked: [] }],
  ['/nowhere', null],
])('what a member lacks for %s', (address, lacked) => {
  expect(lackedFor(screens, address, member)).toEqual(lacked)
})

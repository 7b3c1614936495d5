import { describe, expect, test } from 'vitest'
import { menu as sidebar } from '../menu.ts'
import { isCurrent, visibleMenu, type MenuGroup } from './menu.ts'

const menu: MenuGroup[] = [
  {
    title: 'Operations',
    entries: [
      { label: 'Overview', to: '/', permission: 'overview.view' },
      { label: 'Assets', to: '/assets', permission: 'assets.view', below: true },
      {
        label: 'Cellular',
        children: [
          { label: 'Total Data Usage', to: '/usage/total', permission: 'usage.view' },
          { label: 'Network Groups', to: '/network-groups', permission: 'network_groups.view', flag: 'network_groups' },
        ],
      },
    ],
  },
  { title: 'Account', entries: [{ label: 'Help', children: [{ label: 'FAQ', to: '/faq' }] }] },
  { title: 'Backoffice', backoffice: true, entries: [{ label: 'Logs', to: '/masa/logs', permission: 'audit_logs' }] },
]

const shown = (permissions: string[] | 'all', { flags = { network_groups: true }, backoffice = false } = {}) =>
  visibleMenu(menu, { may: (name) => permissions === 'all' || permissions.includes(name), flags, backoffice }).map(
    (group) =>
      `${group.title}: ${group.entries.map((entry) => (entry.children ? `${entry.label}[${entry.children.map((child) => child.label).join()}]` : entry.label)).join()}`
  )

describe('visibleMenu', () => {
  test('an owner sees all of it', () => {
    expect(shown('all')).toEqual(['Operations: Overview,Assets,Cellular[Total Data Usage,Network Groups]', 'Account: Help[FAQ]'])
  })
  test('an item without a permission of its own takes its lowercased name', () => {
    expect(shown(['faq'])).toEqual(['Account: Help[FAQ]'])
  })
  test('a parent without a visible child is hidden, and a group without a visible item', () => {
    expect(shown(['assets.view'])).toEqual(['Operations: Assets'])
  })
  test('an item behind a flag needs the flag, and its parent goes with the last child', () => {
    expect(shown(['network_groups.view'])).toEqual(['Operations: Cellular[Network Groups]'])
    expect(shown(['network_groups.view'], { flags: { network_groups: false } })).toEqual([])
  })
  test('the backoffice group is shown only there', () => {
    expect(shown(['audit_logs'], { backoffice: true })).toEqual(['Backoffice: Logs'])
    expect(shown(['audit_logs'])).toEqual([])
  })
  test('nothing is visible to one who may nothing', () => {
    expect(shown([])).toEqual([])
  })
})

describe('isCurrent', () => {
  const assets = { label: 'Assets', to: '/assets', below: true }
  test.each([
    ['/assets', true],
    ['/assets/ast_1', true],
    ['/assets-old', false],
    ['/', false],
  ])('Assets on %s: %s', (pathname, current) => {
    expect(isCurrent(assets, pathname)).toBe(current)
  })
  test('the overview only on itself', () => {
    expect(isCurrent({ label: 'Overview', to: '/' }, '/assets')).toBe(false)
  })
})

test('activities and notifications have a row: that of activities for everybody, of notifications for who may see them', () => {
  const shown = (granted: string[]) =>
    visibleMenu(sidebar, { may: (name) => granted.includes(name), flags: {}, backoffice: false }).flatMap(({ entries }) =>
      entries.map(({ to }) => to)
    )
  expect(shown(['notifications.view', 'reports.view'])).toEqual(['/account/reports', '/activities', '/notifications'])
  expect(shown([])).toEqual(['/activities'])
})

test('the rows of Billing stand in the order of the specification', () => {
  const billing = sidebar.flatMap(({ entries }) => entries).find(({ label }) => label === 'Billing')
  expect(billing?.children?.map(({ label }) => label)).toEqual([
    'Add Credits',
    'Payment Details',
    'Cost Summary',
    'Cost Activity',
    'PAYG Data Pricing',
  ])
})

import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../run.ts'
import { newArea } from './area.ts'
import { newCall } from './call.ts'
import { Change } from './change.ts'
import { newEvent } from './event.ts'
import { givenIn, newList } from './list.ts'
import { newPanel } from './panel.ts'
import { newScreen } from './screen.ts'
import { nameOf, plural, singular } from './words.ts'

// What `npm run new` writes, without writing it: each file that it adds a line to still has the place for it, and what every test of the whole needs to
// know of a call, a table or a screen is there. Whether it all passes, the recipes of the nightly tests say.
const exported = 'apps/server/src/account/closing/exported-tables.ts'
const erased = 'apps/server/src/account/closing/erase-account.ts'

/** Files and folders as large as the house rules let them be, after the change. */
function expectRoom(change: Change) {
  const sources = change.paths().filter((path) => /^(apps|packages)\/[^/]+\/src\/.*\.tsx?$/.test(path))
  for (const path of sources) expect(change.read(path).trimEnd().split('\n').length, path).toBeLessThanOrEqual(300)
  for (const [folder, inside] of Map.groupBy(sources, (path) => dirname(path))) {
    const there = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []
    const all = [...new Set([...there, ...inside.map((path) => basename(path))])]
    expect(all.filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.')).length, folder).toBeLessThanOrEqual(25)
  }
}

test('a list, a call and a panel of an asset: in at most six folders', () => {
  const change = new Change(root)
  newList(change, { area: 'assets', name: 'lanterns', onAsset: true }, givenIn(root))
  newCall(change, { area: 'assets', name: 'add_lantern', onAsset: true, event: 'lantern_added' })
  newPanel(change, { area: 'assets', name: 'lanterns' })
  expectRoom(change)
  expect(new Set(change.paths().map((path) => dirname(path))).size).toBeLessThanOrEqual(6)
  expect(change.read(exported)).toContain("own('asset_lantern'),")
  expect(change.read('apps/server/src/assets/test-calls.ts')).toMatch(/'assets\.listLanterns'[^]*'assets\.addLantern'/)
  expect(change.read('packages/contract/src/assets/events.ts')).toContain("name: 'assets.lantern_added'")
  expect(change.read('apps/console/src/assets/page/AssetOverview.tsx')).toContain('<LanternsPanel asset={asset} />')
  expect(change.read('apps/console/src/assets/page/LanternsPanel.tsx')).toContain('operation={addLantern}')
})

test('an area with its first event and its screen', () => {
  const change = new Change(root)
  newArea(change, { area: 'lighthouses', access: 'assets.view' }, givenIn(root))
  newCall(change, { area: 'lighthouses', name: 'add_lighthouse', onAsset: false, event: 'lighthouse_added', access: 'assets.edit' })
  newEvent(change, { area: 'lighthouses', name: 'lighthouse_moved' })
  newScreen(change, { area: 'lighthouses', name: 'lighthouses', access: 'assets.view' })
  expectRoom(change)
  expect(change.read(exported)).toContain("own('lighthouse'),")
  expect(change.read(erased)).toMatch(/ofAccount = \[[^\]]*'lighthouse',\n\]/)
  expect(change.read('packages/contract/src/kernel/live.ts')).toContain("| 'lighthouses'")
  expect(change.read('packages/contract/src/event-reading.ts')).toContain("lighthouses: 'assets.view'")
  expect(change.read('apps/server/src/routes.ts')).toContain('...lighthouseRoutes')
  expect(change.read('apps/console/src/customer-screens.ts')).toContain("path: '/lighthouses'")
  expect(change.read('apps/console/src/menu.ts')).toContain("leadsTo('/lighthouses')")
})

test.each([
  ['note', 'notes'],
  ['category', 'categories'],
  ['box', 'boxes'],
  ['address', 'addresses'],
  ['warehouse', 'warehouses'],
  ['lease', 'leases'],
  ['status', 'statuses'],
  ['batch', 'batches'],
])('one %s, many %s', (one, many) => {
  expect([singular(many), singular(one), plural(one)]).toEqual([one, one, many])
})

test('a name that a file may not have is refused', () => {
  expect(() => nameOf('data')).toThrow('does not say of what')
  expect(nameOf('data_pools').kebab).toBe('data-pools')
})

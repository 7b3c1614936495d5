import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../run.ts'
import { newArea } from './area.ts'
import { newCall } from './call.ts'
import { Change } from './change.ts'
import { newEvent } from './event.ts'
import { givenIn, newList } from './list.ts'
import { newPanel } from './panel.ts'
import { newScreen } from './screen.ts'

// What `npm run new` writes, without writing it: each file that it adds a line to still has the place for it, and what every test of the whole needs to
// know of a call, a table or a screen is there. Whether it all passes, the recipes of the nightly tests say.
const exported = 'apps/server/src/account/closing/exported-tables.ts'

test('a list, a call and a panel of an asset: in at most six folders', () => {
  const change = new Change(root)
  newList(change, { area: 'assets', name: 'mounts', onAsset: true }, givenIn(root))
  newCall(change, { area: 'assets', name: 'add_mount', onAsset: true, event: 'mount_added' })
  newPanel(change, { area: 'assets', name: 'mounts' })
  expect([...new Set(change.paths().map((path) => dirname(path)))].length).toBeLessThanOrEqual(6)
  expect(change.read(exported)).toContain("own('asset_mount'),")
  expect(change.read('apps/server/src/assets/test-calls.ts')).toMatch(/'assets\.listMounts'[^]*'assets\.addMount'/)
  expect(change.read('packages/contract/src/assets/events.ts')).toContain("name: 'assets.mount_added'")
  expect(change.read('apps/console/src/assets/page/AssetOverview.tsx')).toContain('<MountsPanel asset={asset} />')
  expect(change.read('apps/console/src/assets/page/MountsPanel.tsx')).toContain('operation={addMount}')
})

test('an area with its first event and its screen', () => {
  const change = new Change(root)
  newArea(change, { area: 'depots', access: 'assets.view' }, givenIn(root))
  newCall(change, { area: 'depots', name: 'add_depot', onAsset: false, event: 'depot_added', access: 'assets.edit' })
  newEvent(change, { area: 'depots', name: 'depot_moved' })
  newScreen(change, { area: 'depots', name: 'depots', access: 'assets.view' })
  expect(change.read(exported)).toContain("own('depot'),")
  expect(change.read('packages/contract/src/kernel/live.ts')).toContain("| 'depots'")
  expect(change.read('packages/contract/src/event-reading.ts')).toContain("depots: 'assets.view'")
  expect(change.read('apps/server/src/routes.ts')).toContain('...depotRoutes')
  expect(change.read('apps/console/src/customer-screens.ts')).toContain("path: '/depots'")
  expect(change.read('apps/console/src/menu.ts')).toContain("leadsTo('/depots')")
})

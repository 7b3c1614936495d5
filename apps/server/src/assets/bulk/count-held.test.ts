import { expect, test } from 'vitest'
import { previewBulkChange, startBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import type { ImeiLock } from '@masthead/contract/assets/device'
import { raiseSimLimit, setSimLimit } from '@masthead/contract/assets/sim-operations'
import { createNetworkGroup } from '@masthead/contract/network-groups/operations'
import { openHouse } from '@masthead/testkit/house'
import { addAsset, addSession, blockedAssets, putCounter } from '../test-stock.ts'

const nobody = { cut: 0, blocked: 0, freed: 0, wrong_device: 0, device_freed: 0 }

test('a preview says whom another group, or another limit, cuts and blocks and frees at once, and so it is', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  /** An asset that used so many MB this month, in a session in a network where one is said. */
  const used = async (megabytes: number, mccmnc?: string) => {
    const asset = await addAsset(house, ada)
    await putCounter(house, { account_id: ada.account_id, sim_id: asset.sim!.id, bytes_up: megabytes * 1e6 })
    // One in two networks is cut once.
    const places = mccmnc === '216-30' ? [mccmnc, '260-06'] : mccmnc ? [mccmnc] : []
    for (const place of places) await addSession(house, asset, ada.account_id, { mccmnc: place, rat: 'EUTRAN' })
    return asset
  }
  const [abroad, home, heavy, own, raised] = [
    await used(1, '216-30'),
    await used(1, '262-01'),
    await used(50),
    await used(50),
    await used(50),
  ]
  await ada.call(setSimLimit, { params: { asset_id: own.id }, body: { bytes: 1e9 } })
  const { body: group } = await ada.call(createNetworkGroup, { body: { name: 'Home', countries: ['DE'], limit_bytes: 20e6 } })
  const asset_ids = [abroad, home, heavy, own].map(({ id }) => id)
  const preview = async (body: object) => (await ada.call(previewBulkChange, { body: { asset_ids, ...body } as never })).body
  const start = (body: object) => ada.call(startBulkChange, { body: { asset_ids, ...body } as never })
  const blocked = () => blockedAssets(house, ada)
  const toGroup = { action: 'set_network_group', network_group: group.id }
  expect(await preview(toGroup)).toMatchObject({ changed: 4, held: { ...nobody, cut: 1, blocked: 1 } })
  await start(toGroup)
  expect(await blocked()).toEqual([heavy.id])
  const sessions = await house.db.selectFrom('data_session').select(['asset_id', 'forbidden']).where('forbidden', 'is not', null).execute()
  expect(sessions.map(({ asset_id }) => asset_id)).toEqual([abroad.id, abroad.id])
  // In it already they are not moved.
  expect((await preview(toGroup)).held).toEqual(nobody)
  expect((await preview({ action: 'set_network_group', network_group: 'default' })).held).toEqual({ ...nobody, freed: 1 })
  const more = { action: 'set_limit', limit: { bytes: 60e6, period: 'month' } }
  expect((await preview(more)).held).toEqual({ ...nobody, freed: 1 })
  await start(more)
  expect(await blocked()).toEqual([])
  // What was raised for this month stays allowed.
  await ada.call(setSimLimit, { params: { asset_id: raised.id }, body: { bytes: 10e6 } })
  await ada.call(raiseSimLimit, { params: { asset_id: raised.id }, body: { bytes: 100e6 } })
  const less = { action: 'set_limit', limit: { bytes: 30e6, period: 'month' }, asset_ids: [...asset_ids, raised.id] }
  expect((await preview(less)).held).toEqual({ ...nobody, blocked: 2 })
  await start(less)
  expect(await blocked()).toEqual([heavy.id, own.id].toSorted())
  // One that is allowed as much already is left alone.
  const higher = { action: 'raise_limit', raise_bytes: 60e6, asset_ids: less.asset_ids }
  expect((await preview(higher)).held).toEqual({ ...nobody, freed: 2 })
  await start(higher)
  expect(await blocked()).toEqual([])
  // Without one of their own that of their group holds.
  const none = { action: 'set_limit', limit: null, asset_ids: less.asset_ids }
  expect((await preview(none)).held).toEqual({ ...nobody, blocked: 2 })
  await start(none)
  expect(await blocked()).toEqual([heavy.id, own.id].toSorted())
  expect((await preview(none)).held).toEqual(nobody)
  await ada.call(setSimLimit, { params: { asset_id: raised.id }, body: { bytes: 10e6 } })
  expect((await preview(none)).held).toEqual({ ...nobody, freed: 1 })
  expect((await preview({ action: 'deactivate_sim' })).held).toBeUndefined()
})

test('a preview says whom a lock frees in the device that they are blocked for, and so it is', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const [right, wrong] = ['490154203237518', '356938035643809']
  /** An asset that was seen in a device last, while the other one was accepted. */
  const seenIn = async (imei: string, { isBlocked = false, of_group = 'off' as ImeiLock, own = 'lock' as ImeiLock | null } = {}) => {
    const asset = await addAsset(house, ada)
    const block = { code: 'imei_mismatch', since: house.clock.now().toISOString(), by: 'system', words: 'Held', clears: 'Later' }
    await house.db
      .updateTable('sim')
      .set({ imei, imeis: [right], imei_lock: own, imei_lock_default: of_group, blocks: JSON.stringify(isBlocked ? [block] : []) })
      .where('id', '=', asset.sim!.id)
      .execute()
    return asset
  }
  const [lost, home, grouped, used] = [
    await seenIn(wrong, { isBlocked: true }),
    await seenIn(right),
    await seenIn(wrong, { isBlocked: true, of_group: 'lock' }),
    await seenIn(wrong, { of_group: 'lock', own: 'off' }),
  ]
  await addSession(house, used, ada.account_id, { imei: wrong })
  const asset_ids = [lost, home, grouped, used].map(({ id }) => id)
  const body = (imei_lock: ImeiLock | null, ids = asset_ids) => ({ action: 'imei_lock' as const, imei_lock, asset_ids: ids })
  const held = async (imei_lock: ImeiLock | null) => (await ada.call(previewBulkChange, { body: body(imei_lock) })).body.held
  const blocked = () => blockedAssets(house, ada)
  expect(await blocked()).toEqual([lost.id, grouped.id].toSorted())
  for (const lock of ['off', 'watch', 'lock'] as const) expect(await held(lock), lock).toEqual({ ...nobody, device_freed: 2 })
  // As their groups say: one is then not accepted where it is.
  expect(await held(null)).toEqual({ ...nobody, wrong_device: 1, device_freed: 1 })
  await ada.call(startBulkChange, { body: body(null) })
  expect(await blocked()).toEqual([grouped.id, used.id].toSorted())
  expect(await held('lock')).toEqual({ ...nobody, device_freed: 2 })
  await ada.call(startBulkChange, { body: body('lock') })
  expect(await blocked()).toEqual([])
  const rows = await house.db.selectFrom('sim').select('imeis').where('asset_id', '=', lost.id).execute()
  expect(rows).toEqual([{ imeis: [wrong] }])
})

test('a preview says whom the lock of another group blocks and frees, and so it is', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const { body: group } = await ada.call(createNetworkGroup, { body: { name: 'Locked', imei_lock: true } })
  const asset = await addAsset(house, ada)
  const [right, wrong] = ['490154203237518', '356938035643809']
  await house.db
    .updateTable('sim')
    .set({ imei: wrong, imeis: [right] })
    .where('id', '=', asset.sim!.id)
    .execute()
  await addSession(house, asset, ada.account_id, { imei: wrong })
  const body = (network_group: string) => ({ action: 'set_network_group' as const, network_group, asset_ids: [asset.id] })
  const held = async (network_group: string) => (await ada.call(previewBulkChange, { body: body(network_group) })).body.held
  const status = () => house.db.selectFrom('sim').select('status').where('account_id', '=', ada.account_id).executeTakeFirstOrThrow()
  expect(await held(group.id)).toEqual({ ...nobody, wrong_device: 1 })
  await ada.call(startBulkChange, { body: body(group.id) })
  expect(await status()).toEqual({ status: 'blocked' })
  expect(await held('default')).toEqual({ ...nobody, device_freed: 1 })
  await ada.call(startBulkChange, { body: body('default') })
  expect(await status()).not.toEqual({ status: 'blocked' })
})

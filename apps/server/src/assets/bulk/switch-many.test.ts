import { expect, test } from 'vitest'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { listActivities } from '@masthead/contract/activities/operations'
import { getAsset, listAssets, updateAsset } from '@masthead/contract/assets/operations'
import { codes } from '@masthead/radius/packet'
import { openMeteredHouse } from '../../metering/test-network.ts'

test('assets are switched off and on by selection, by filter and by a file, their SIMs keep their states, and it is undone', async () => {
  await using house = await openMeteredHouse()
  const sims = await Promise.all(Array.from({ length: 3 }, () => house.newSim()))
  const [first, second, third] = sims as [(typeof sims)[0], (typeof sims)[0], (typeof sims)[0]]
  const { owner } = house
  const start = async (body: object) => (await owner.call(bulk.startBulkChange, { body: body as never })).body
  const standing = () =>
    Promise.all(
      sims.map(async ({ asset_id, imsi }) => {
        const { sim } = (await owner.call(getAsset, { params: { asset_id } })).body
        const accepted = (await house.client.access({ imsi })).code === codes.access_accept
        return `${sim!.state} ${sim!.blocks.map(({ code }) => code).join()} ${accepted ? 'accepted' : 'refused'}`
      })
    )
  const [on, off] = ['active  accepted', 'active asset_off refused']
  expect(await standing()).toEqual([on, on, on])
  const chosen = await start({ action: 'switch_off', asset_ids: [first.asset_id, second.asset_id] })
  expect(chosen).toMatchObject({ changed: 2, left: [], can_undo: true })
  expect(await standing()).toEqual([off, off, on])
  // What is off already stays as it is, and is not in the undo.
  const { total } = (await owner.call(listAssets)).body
  const all = await start({ action: 'switch_off', filter: {}, count: total })
  expect(all).toMatchObject({ changed: 1, left: [{ reason: 'already', count: 2 }] })
  expect(await standing()).toEqual([off, off, off])
  const undo = async (bulk_id: string) => (await owner.call(bulk.undoBulkChange, { params: { bulk_id } })).body
  expect(await undo(all.id)).toMatchObject({ changed: 1, left: [] })
  expect(await standing()).toEqual([off, off, on])
  // What somebody switched on since stays on.
  await owner.call(updateAsset, { params: { asset_id: first.asset_id }, body: { status: 'active' } })
  expect(await undo(chosen.id)).toMatchObject({ changed: 1, left: [{ reason: 'changed_since', count: 1 }] })
  expect(await standing()).toEqual([on, on, on])
  const file = [
    'asset,switch,state',
    `${first.asset_id},off,`,
    `${second.asset_id}, ON ,`,
    `${third.asset_id},off,inactive`,
    `x,maybe,`,
  ].join('\n')
  const { body: byFile } = await owner.call(bulk.startCsvChange, { body: file as never })
  expect(byFile).toMatchObject({
    changed: 2,
    left: expect.arrayContaining([
      { reason: 'already', count: 1 },
      { reason: 'bad_row', count: 1 },
    ]),
  })
  expect(await standing()).toEqual([off, on, 'inactive asset_off refused'])
  await undo(byFile.id)
  expect(await standing()).toEqual([on, on, on])
  // What switches an asset on lifts what held its SIM; what switches it off holds it.
  await start({ action: 'switch_off', asset_ids: [first.asset_id] })
  await start({ action: 'deactivate_sim', asset_ids: [first.asset_id, second.asset_id] })
  const rows = ['asset,switch,state', `${first.asset_id},on,active`, `${second.asset_id},off,active`].join('\n')
  const { body: both } = await owner.call(bulk.startCsvChange, { body: rows as never })
  expect(both).toMatchObject({ changed: 2, still_blocked: 1, left: [] })
  expect(await standing()).toEqual([on, off, on])
  const { items } = (await owner.call(listActivities, { query: { category: ['assets'], page_size: 100 } })).body
  expect(items.map(({ sentence }) => sentence)).toContain('Switched off 2 assets')
})

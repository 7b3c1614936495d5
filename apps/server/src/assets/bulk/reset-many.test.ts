import { expect, test } from 'vitest'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { listActivities } from '@masthead/contract/activities/operations'
import { getAsset } from '@masthead/contract/assets/operations'
import { encodeReply } from '@masthead/radius/authenticator'
import { codes, decode, type Packet } from '@masthead/radius/packet'
import { readRequest } from '@masthead/radius/records'
import { openMeteredHouse, packetOf } from '../../metering/test-network.ts'
import { addAsset } from '../test-stock.ts'

test('the sessions of many SIMs are cut, each once, and nothing else of them is changed', async () => {
  await using house = await openMeteredHouse()
  const { owner, coa } = house
  const cut: (string | null)[] = []
  coa.on('message', (datagram, from) => {
    const packet = decode(datagram) as Packet
    cut.push(readRequest(packet).session_id)
    coa.send(encodeReply(packet, codes.disconnect_ack, {}, Buffer.from('secret')), from.port, from.address)
  })
  const sims = [await house.newSim(), await house.newSim(), await house.newSim()]
  const [first, second, third] = sims as [(typeof sims)[0], (typeof sims)[0], (typeof sims)[0]]
  const bare = await addAsset(house, owner, { iccid: null })
  for (const [at, sim] of [first, second].entries())
    await house.client.account(packetOf(sim, 'interim', { id: `open-${at}`, time: 60, up: 100, down: 0 }))
  const body = { action: 'reset_sim' as const, asset_ids: [...sims.map(({ asset_id }) => asset_id), bare.id] }
  const left = [
    { reason: 'no_session', count: 1 },
    { reason: 'no_sim', count: 1 },
  ]
  const preview = (await owner.call(bulk.previewBulkChange, { body })).body
  expect(preview).toMatchObject({ total: 4, changed: 2, left: expect.arrayContaining(left) })
  const { body: done } = await owner.call(bulk.startBulkChange, { body })
  expect(done).toMatchObject({ total: 4, changed: 2, can_undo: false, left: expect.arrayContaining(left) })
  await house.settle()
  expect(cut.toSorted()).toEqual(['open-0', 'open-1'])
  for (const sim of [first, second]) {
    expect(await house.sessionsOf(sim)).toMatchObject([{ end_cause: 'Cut by Masthead' }])
    expect((await owner.call(getAsset, { params: { asset_id: sim.asset_id } })).body.sim).toMatchObject({ state: 'active', blocks: [] })
    expect((await house.client.access({ imsi: sim.imsi })).code).toBe(codes.access_accept)
  }
  expect(await house.sessionsOf(third)).toEqual([])
  expect(await owner.call(bulk.undoBulkChange, { params: { bulk_id: done.id } })).toMatchObject({ status: 409 })
  const { items } = (await owner.call(listActivities, { query: { category: ['assets'], page_size: 100 } })).body
  expect(items.map(({ sentence }) => sentence)).toContain('Reset the connectivity of 2 assets; 2 stayed as they were')
  const told = (await house.events(owner.account_id)).filter(({ name }) => name === 'assets.sessions_reset')
  expect(told.map(({ detail }) => [detail.asset_id, detail.sessions]).toSorted()).toEqual(
    [
      [first.asset_id, 1],
      [second.asset_id, 1],
    ].toSorted()
  )
  // What is over is not cut again.
  expect((await owner.call(bulk.startBulkChange, { body })).body).toMatchObject({ changed: 0 })
})

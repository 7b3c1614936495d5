import { expect, test } from 'vitest'
import { codes } from '@masthead/radius/packet'
import { openMeteredHouse, packetOf } from './test-network.ts'

test('a session from its start to its stop', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const reply = await house.client.account(packetOf(sim, 'start', { called_station_id: 'iot.example', framed_ip: '10.0.0.7' }))
  expect(reply.code).toBe(codes.accounting_response)
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 1000, down: 5000, sgsn_mccmnc: '26201', rat_type: 6 }))
  await house.client.account(packetOf(sim, 'stop', { time: 90, up: 1500, down: 6000, acct_terminate_cause: 1 }))
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 1500, bytes_down: 6000, lifetime_up: 1500, lifetime_down: 6000 })
  expect(await house.sessionsOf(sim)).toMatchObject([
    {
      nas: 'pgw-1',
      acct_session_id: 'a1',
      apn: 'iot.example',
      ip: '10.0.0.7',
      mccmnc: '262-01',
      rat: 'EUTRAN',
      bytes_up: 1500,
      bytes_down: 6000,
      end_cause: 'User request',
      gateway_id: house.gateway_id,
    },
  ])
  const records = await house.db.selectFrom('usage_record').selectAll().execute()
  expect(records.map((each) => [each.bytes_up, each.bytes_down, each.mccmnc])).toEqual([
    [1000, 5000, '262-01'],
    [500, 1000, '262-01'],
  ])
})

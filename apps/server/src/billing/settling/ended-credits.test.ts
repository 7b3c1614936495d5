import { micros } from '@masthead/contract/billing/money'
import { getBalance } from '@masthead/contract/billing/operations'
import { codes } from '@masthead/radius/packet'
import { expect, test, vi } from 'vitest'
import { type MeteredHouse, packetOf } from '../../metering/test-network.ts'
import { expireGrants, post, proveLedger } from '../ledger/index.ts'
import { openBilledHouse } from '../rating/test-billed.ts'
import { settleBeforeEnd, settleCharges, startSettling } from './settle.ts'

const at = (time: number, up: number) => ({ id: 's', time, up, sgsn_mccmnc: '26201' })
const given = { type: 'credit', sub_type: 'grant', against: 'granted', description: 'A gift', actor: 'staff', source: 'staff' } as const
const give = (house: MeteredHouse, expires_at: Date) =>
  house.db.transaction().execute((tx) =>
    post(tx, house.clock.now(), [
      {
        ...given,
        account_id: house.owner.account_id,
        key: 'gift',
        amount_micros: micros(1_000_000),
        grant: { kind: 'granted', expires_at },
      },
    ])
  )

test('credits that end pay for what was used before their end, also what is not in the ledger yet', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  await give(house, new Date('2026-11-21T00:00:00Z'))
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', at(60, 2_000_000) as never))
  await settleCharges(house.app)
  house.clock.set('2026-11-21T00:05:00Z')
  await expireGrants(house.app, settleBeforeEnd)
  await expireGrants(house.app, settleBeforeEnd)
  const lines = await house.db.selectFrom('ledger_transaction').select(['type', 'amount_micros']).orderBy('number').execute()
  expect(lines.slice(2).map((line) => [line.type, line.amount_micros])).toEqual([
    ['charge', -200_000],
    ['expiry', -800_000],
  ])
  expect((await house.db.selectFrom('charge_account').select('unsettled_micros').execute())[0]).toEqual({ unsettled_micros: 0 })
  expect((await proveLedger(house.app)).differences).toEqual([])
})

test('credits whose time is over count no more, also before they are taken away; they pay for what was used until then', async () => {
  await using house = await openBilledHouse({})
  await give(house, new Date('2026-11-20T13:00:00Z'))
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', at(60, 100_000) as never))
  await settleCharges(house.app)
  const balance = async () => {
    const { available_micros, granted_micros, expiring } = (await house.owner.call(getBalance)).body.balance!
    return [available_micros, granted_micros, expiring.length]
  }
  const answer = async () => (await house.client.access({ imsi: sim.imsi })).code
  house.clock.set('2026-11-20T12:59:59Z')
  await settleCharges(house.app)
  expect([await balance(), await answer()]).toEqual([[990_000, 1_000_000, 1], codes.access_accept])
  house.clock.set('2026-11-20T13:00:00Z')
  await settleCharges(house.app)
  expect([await balance(), await answer()]).toEqual([[0, 0, 0], codes.access_reject])
  expect((await house.db.selectFrom('ledger_transaction').select('type').execute()).length).toBe(1)
})

test('a day on which credits end is paid by them until then, and by others from then on', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  await give(house, new Date('2026-11-20T13:00:00Z'))
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', at(60, 2_000_000) as never))
  await settleCharges(house.app)
  house.clock.set('2026-11-20T13:00:01Z')
  const settling = startSettling(house.app)
  await using _ = { [Symbol.asyncDispose]: () => settling.stop() }
  const lines = async () =>
    (await house.db.selectFrom('ledger_transaction').select(['type', 'amount_micros']).orderBy('number').execute()).map((line) => [
      line.type,
      line.amount_micros,
    ])
  await vi.waitUntil(async () => (await lines()).length === 4, 10_000)
  await house.client.account(packetOf(sim, 'interim', at(120, 5_000_000) as never))
  await vi.waitUntil(async () => (await lines()).length === 5, 10_000)
  expect((await lines()).slice(2)).toEqual([
    ['charge', -200_000],
    ['expiry', -800_000],
    ['charge', -300_000],
  ])
  expect((await proveLedger(house.app)).differences).toEqual([])
})

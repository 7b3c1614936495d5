import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { updateNetworkGroup } from '@masthead/contract/network-groups/operations'
import { notifyLimits } from './notify-limits.ts'
import { setLimit } from './set-limit.ts'
import { openMeteredHouse, packetOf } from './test-network.ts'

test('of limits that only notify, the run each minute reads what was counted since the one before, and all of it in a restored database', async () => {
  await using house = await openMeteredHouse()
  const { account_id } = house.owner
  const [first, second, third] = [await house.newSim(), await house.newSim(), await house.newSim()]
  const body = { limit_bytes: 1_000_000, on_limit: 'alert' } as const
  await house.owner.call(updateNetworkGroup, { params: { network_group_id: 'default' }, body })
  await house.settle()
  for (const [i, sim] of [first, second, third].entries())
    await house.client.account(packetOf(sim, 'interim', { id: `s${i}`, time: 60, up: i === 0 ? 1_200_000 : 10 }))
  const reached = async () =>
    (await house.events(account_id)).flatMap(({ name, detail }) => (name === 'assets.limit_reached' ? [detail.sim_id as string] : []))
  await notifyLimits(house.app)
  expect(await reached()).toEqual([first.id])
  // A counter that no report moved is not read again.
  const raise = sql`update sim_counter set bytes_up = 2000000 where sim_id = any(${[second.id, third.id]}::text[])`
  await house.db.transaction().execute((tx) => raise.execute(tx))
  await notifyLimits(house.app)
  expect(await reached()).toEqual([first.id])
  await house.client.account(packetOf(second, 'interim', { id: 's1', time: 120, up: 20 }))
  await notifyLimits(house.app)
  expect((await reached()).toSorted()).toEqual([first.id, second.id].toSorted())
  await sql`update rollup_progress set xid = '4000000001' where name = 'limit_notices'`.execute(house.db)
  for (let i = 0; i < 2; i++) await notifyLimits(house.app)
  expect((await reached()).toSorted()).toEqual([first.id, second.id, third.id].toSorted())
})

test('a limit that only notifies and is set below what was used is recorded with the change', async () => {
  await using house = await openMeteredHouse()
  const { account_id } = house.owner
  const sim = await house.newSim()
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 500 }))
  await notifyLimits(house.app)
  const limit = { bytes: 400, period: 'month', action: 'alert' } as const
  await house.db.transaction().execute((tx) => setLimit(tx, { account_id, sim_id: sim.id }, limit, house.clock.now()))
  const { name, detail } = (await house.events(account_id)).find((event) => event.name === 'assets.limit_reached')!
  expect([name, detail]).toMatchObject(['assets.limit_reached', { sim_id: sim.id, limit_bytes: 400, used_bytes: 500, period: 'month' }])
  const { blocks } = await house.db.selectFrom('sim').select('blocks').where('id', '=', sim.id).executeTakeFirstOrThrow()
  expect(blocks).toEqual([])
})

import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { openHouse } from '@masthead/testkit/house'
import { startProduct, type RunningProduct } from '@masthead/testkit/product'
import { bulkTasks } from './tasks.ts'
import { addMany } from './test-many.ts'

const sims = 6000

test(
  'a change whose worker is killed in the middle goes on after the restart, and each row is done once',
  { timeout: 120_000 },
  async () => {
    await using house = await openHouse()
    const ada = await house.newOwner()
    await addMany(house, ada, sims)
    const { body } = await ada.call(bulk.startBulkChange, { body: { action: 'activate_sim', filter: {}, count: sims } as never })
    const done = async () =>
      await house.db.selectFrom('bulk_change').select(['parts_done', 'finished_at']).where('id', '=', body.id).executeTakeFirstOrThrow()
    let product: RunningProduct | undefined
    const start = () => startProduct({ DATABASE_URL: house.databaseUrl, MASTHEAD_DEMO: 'off', MASTHEAD_LOG_LEVEL: 'silent' })
    try {
      product = await start()
      while ((await done()).parts_done < 3) await pause(2)
      process.kill(product.pid, 'SIGKILL')
      const killedAt = (await done()).parts_done
      expect(killedAt).toBeLessThan(sims / 500)
      product = await start()
      while ((await done()).finished_at === null) await pause(20)
      const events = (await house.events(ada.account_id)).filter(({ name }) => name === 'assets.sim_activated')
      expect([events.length, new Set(events.map(({ detail }) => detail.sim_id)).size]).toEqual([sims, sims])
      const states = await house.db.selectFrom('sim').select('state').distinct().where('account_id', '=', ada.account_id).execute()
      expect(states).toEqual([{ state: 'active' }])
      expect((await ada.call(bulk.getBulkChange, { params: { bulk_id: body.id } })).body).toMatchObject({
        changed: sims,
        done: sims,
        left: [],
      })
    } finally {
      await product?.stop()
    }
  }
)

test('the assets of a part that fails again and again stay as they are and say so, and the parts after it are done', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  await addMany(house, ada, 1201)
  const { body } = await ada.call(bulk.startBulkChange, { body: { action: 'activate_sim', filter: {}, count: 1201 } as never })
  const { gaveUp } = bulkTasks.find(({ name }) => name === 'change_assets')!
  for (const _ of ['once', 'twice']) await gaveUp!(house.app, { account_id: ada.account_id, bulk_id: body.id, part: 0 } as never)
  await house.settle()
  expect((await ada.call(bulk.getBulkChange, { params: { bulk_id: body.id } })).body).toMatchObject({
    done: 1201,
    changed: 701,
    left: [{ reason: 'failed', count: 500 }],
    finished_at: expect.any(String),
  })
  const active = await house.db
    .selectFrom('sim')
    .select('id')
    .where('account_id', '=', ada.account_id)
    .where('state', '=', 'active')
    .execute()
  expect(active).toHaveLength(701)
})

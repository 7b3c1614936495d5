import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { addAsset, addSession } from '../test-stock.ts'
import { askForCuts, resetSessions } from './index.ts'

test('many that somebody resets wait for what may not go on, also where a session is both', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const { account_id } = ada
  const assets = [await addAsset(house, ada), await addAsset(house, ada), await addAsset(house, ada)]
  const sessions: string[] = []
  for (const asset of assets) sessions.push((await addSession(house, asset, account_id)).id)
  const ask = (id: string) => house.db.transaction().execute((tx) => askForCuts(tx, [{ account_id, id }], house.clock.now()))
  const priorities = async () => {
    const { rows } = await sql<{ key: string; priority: number }>`select key, priority from graphile_worker.jobs
      where key like 'cut_session:%'`.execute(house.db)
    const byKey = new Map(rows.map(({ key, priority }) => [key, priority]))
    return sessions.map((id) => byKey.get(`cut_session:${id}`))
  }
  await ask(sessions[0]!)
  const sims = assets.map(({ sim }) => ({ account_id, sim_id: sim!.id }))
  const reset = await house.db.transaction().execute((tx) => resetSessions(tx, sims))
  expect([...reset.values()]).toEqual([1, 1, 1])
  expect(await priorities()).toEqual([0, 1, 1])
  await ask(sessions[1]!)
  expect(await priorities()).toEqual([0, 0, 1])
})

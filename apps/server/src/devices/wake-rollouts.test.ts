import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { wakeRollouts } from './broker/wake-rollouts.ts'
import { newDevice } from './test-broker.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('a device that connects has its rollout looked at: not while its window is shut, nor where that is to be done within seconds', async () => {
  const { db, clock } = house
  const owner = await house.newOwner()
  const { account_id } = owner
  const { device_id, asset_id } = await newDevice(house, owner, 'agent')
  const [fleet_id, rollout_id] = ['flt_wakes', 'rol_wakes']
  const at = clock.now()
  await sql`insert into fleet (account_id, id, name, created_at, updated_at) values (${account_id}, ${fleet_id}, 'Wakes', ${at}, ${at})`.execute(
    db
  )
  await sql`insert into rollout (account_id, id, fleet_id, version, plan, state, started_at, started_by)
    values (${account_id}, ${rollout_id}, ${fleet_id}, 1, '{"phases": [100]}', 'running', ${at}, ${owner.email})`.execute(db)
  await sql`insert into rollout_device (account_id, rollout_id, asset_id, phase, state)
    values (${account_id}, ${rollout_id}, ${asset_id}, 0, 'pending')`.execute(db)
  const setWindow = (window: object | null) =>
    sql`update rollout set plan = ${JSON.stringify({ phases: [100], window })}::jsonb where id = ${rollout_id}`.execute(db)
  const wake = () => wakeRollouts({ db: house.app.db, clock }, [{ account_id, device_id, birth: true }])
  type Job = { id: string; run_at: string; due: boolean; locked: boolean }
  const jobs = async () =>
    (
      await sql<Job>`select id::text, run_at::text, run_at <= now() as due, locked_at is not null as locked
        from graphile_worker._private_jobs where key = ${`rollout:${rollout_id}`}`.execute(db)
    ).rows
  const change = (words: string) =>
    sql`update graphile_worker._private_jobs set ${sql.raw(words)} where key = ${`rollout:${rollout_id}`}`.execute(db)

  await setWindow({ days: [(at.getUTCDay() + 3) % 7], from_minute: 0, to_minute: 60, timezone: 'UTC' })
  await wake()
  expect(await jobs()).toEqual([])
  await setWindow(null)
  await wake()
  expect(await jobs()).toMatchObject([{ due: true, locked: false }])
  await change(`run_at = now() + interval '50 seconds'`)
  await wake()
  expect(await jobs()).toMatchObject([{ due: true }])
  // It is checked each few seconds while something is at work.
  await change(`run_at = now() + interval '4 seconds'`)
  const before = await jobs()
  await wake()
  expect(await jobs()).toEqual([{ ...before[0]!, due: expect.any(Boolean) as boolean }])
  // A check that has begun may have been too early for them.
  await change(`locked_at = now(), locked_by = 'another'`)
  await wake()
  const after = await jobs()
  expect(after).toMatchObject([{ due: true, locked: false }])
  expect(after[0]!.id).not.toBe(before[0]!.id)
})

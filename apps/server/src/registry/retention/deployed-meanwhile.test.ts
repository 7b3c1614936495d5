import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { listTags } from '@masthead/contract/registry/operations'
import { removeTags } from '@masthead/contract/registry/removal-operations'
import * as retention from '@masthead/contract/registry/retention-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putContainer, putFleet } from '../../alpon-fleets/test-fleet.ts'
import { addAsset } from '../../assets/test-stock.ts'
import { newPusher, pushImage, type Pusher } from '../test-registry.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

/** Waits until somebody waits for a lock that another transaction has. */
async function untilWaiting() {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(house.db)
    if (rows[0]!.waiting > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function withTwoTags(name: string) {
  const acme = await newPusher(house, address, name)
  const repository = `${acme.slug}/relay`
  for (const tag of ['1.0', '1.1']) {
    await pushImage(acme.ask, repository, { tag })
    house.clock.advance({ seconds: 1 })
  }
  const { id: asset_id } = await addAsset(house, acme.person)
  return { acme, repository, asset_id, image: `registry.test/${repository}:1.0` }
}
const left = async ({ person }: Pusher, repository: string) =>
  (await person.call(listTags, { params: { repository_id: repository } })).body.items.map(({ name }) => name).toSorted()

test('what is deployed while a clean-up begins stays: it waits for whoever says so', async () => {
  const { acme, repository, asset_id, image } = await withTwoTags('Meanwhile')
  const rule = { keep_newest: 1, keep_days: null, keep_like: [], untagged_days: null }
  await acme.person.call(retention.setRetention, { body: { repository, rule } })
  let cleaning: Promise<{ status: number; body: unknown }> | undefined
  await house.db.transaction().execute(async (tx) => {
    await putContainer({ ...house, db: tx } as never, { account_id: acme.account_id, asset_id, name: 'c', image })
    cleaning = acme.person.call(retention.cleanUpNow)
    await untilWaiting()
  })
  expect(await cleaning).toMatchObject({ status: 200, body: { tags: 0, kept: 2 } })
  expect(await left(acme, repository)).toEqual(['1.0', '1.1'])
})

test('what is chosen in the console stays too, where a fleet comes to need it', async () => {
  const { acme, repository, asset_id } = await withTwoTags('Fleet')
  const fleet_id = await putFleet(house, { account_id: acme.account_id, asset_id })
  let removing: Promise<{ status: number; body: unknown }> | undefined
  await house.db.transaction().execute(async (tx) => {
    const containers = JSON.stringify([{ name: 'relay', image: `registry.test/${repository}:1.0` }])
    await sql`insert into fleet_version (account_id, fleet_id, version, id, pilot_name, containers, sealed_secrets, changes, created_at, created_by)
      values (${acme.account_id}, ${fleet_id}, 1, ${`flv_${fleet_id}`}, 'Pilot', ${containers}, '', '{}', now(), 'owner')`.execute(tx)
    removing = acme.person.call(removeTags, { params: { repository_id: repository }, body: { what: 'unused', count: 2 } })
    await untilWaiting()
  })
  expect(await removing).toMatchObject({ status: 200, body: { tags: 1, kept: [{ name: '1.0', code: 'fleet' }] } })
})

test('whoever deploys while a clean-up deletes waits for its end', async () => {
  const { acme, repository, asset_id, image } = await withTwoTags('After')
  let deploying: Promise<void> | undefined
  let deployed = false
  await house.db.transaction().execute(async (tx) => {
    await sql`select 1 from registry_account where account_id = ${acme.account_id} for update`.execute(tx)
    deploying = putContainer(house, { account_id: acme.account_id, asset_id, name: 'c', image }).then(() => void (deployed = true))
    await untilWaiting()
    expect(deployed).toBe(false)
  })
  await deploying
  expect(await left(acme, repository)).toEqual(['1.0', '1.1'])
})

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as ops from '@masthead/contract/registry/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { rankImages } from '../attached/rank-images.ts'
import { digestOf, newPusher, pushBlob, pushImage, type Pusher } from '../test-registry.ts'
import { cleanUp } from './clean-up.ts'
import { countPull, writePulls } from './count-pulls.ts'
import { lockRegistry } from './quota.ts'
import { needRepository } from './repository.ts'
import { beginUpload } from './uploads.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

/** Waits until somebody waits for a lock that another transaction has. */
const untilWaiting = () =>
  expect
    .poll(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        house.db
      )
      return rows.length
    })
    .toBeGreaterThan(0)

const callerOf = ({ account_id }: Pusher) => ({ account_id, actor: { at: house.clock.now() } }) as Parameters<typeof needRepository>[1]

test('a tag that is protected while its image is deleted by its digest stays', async () => {
  const acme = await newPusher(house, address, 'Protects')
  const name = `${acme.slug}/app`
  const { digest } = await pushImage(acme.ask, name, { tag: '1.0' })
  let deleting: ReturnType<typeof acme.ask> | undefined
  await house.db.transaction().execute(async (tx) => {
    await lockRegistry(tx, acme.account_id)
    await tx.updateTable('registry_tag').set({ protected: true }).where('account_id', '=', acme.account_id).execute()
    deleting = acme.ask(`/v2/${name}/manifests/${digest}`, { method: 'DELETE' })
    await untilWaiting()
  })
  expect(await deleting).toMatchObject({ status: 403, code: 'DENIED' })
  expect((await acme.ask(`/v2/${name}/manifests/1.0`)).status).toBe(200)
})

test('first pushes of two repositories at once are both taken', async () => {
  const acme = await newPusher(house, address, 'Both new')
  let other: ReturnType<typeof acme.ask> | undefined
  await house.db.transaction().execute(async (tx) => {
    const repository = await needRepository(tx, callerOf(acme), `${acme.slug}/one`)
    other = acme.ask(`/v2/${acme.slug}/two/blobs/uploads/`, { method: 'POST' })
    await untilWaiting()
    await beginUpload(tx, callerOf(acme), repository)
  })
  expect(await other).toMatchObject({ status: 202 })
})

test('a repository is deleted beside a push, which makes it anew', async () => {
  const acme = await newPusher(house, address, 'Deletes')
  const name = `${acme.slug}/app`
  await pushImage(acme.ask, name, { tag: '1.0' })
  let deleting: Promise<{ status: number }> | undefined
  await house.db.transaction().execute(async (tx) => {
    const repository = await needRepository(tx, callerOf(acme), name)
    deleting = acme.person.call(ops.deleteRepository, { params: { repository_id: name } })
    await untilWaiting()
    await beginUpload(tx, callerOf(acme), repository)
  })
  expect(await deleting).toMatchObject({ status: 200 })
  expect((await acme.ask(`/v2/${name}/tags/list`)).status).toBe(404)
  await pushBlob(acme.ask, name, randomBytes(100))
})

test('an upload that ends while its repository is deleted is over, and leaves no bytes', async () => {
  const acme = await newPusher(house, address, 'Ends')
  const name = `${acme.slug}/app`
  const blob = randomBytes(1000)
  const begun = await acme.ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' })
  const location = begun.headers.get('location')!
  await acme.ask(location, { method: 'PATCH', body: blob })
  let ending: ReturnType<typeof acme.ask> | undefined
  await house.db.transaction().execute(async (tx) => {
    await lockRegistry(tx, acme.account_id)
    ending = acme.ask(`${location}?digest=${digestOf(blob)}`, { method: 'PUT' })
    await untilWaiting()
    await tx.deleteFrom('registry_repository').where('account_id', '=', acme.account_id).execute()
  })
  expect(await ending).toMatchObject({ status: 404, code: 'BLOB_UPLOAD_UNKNOWN' })
  const keys: string[] = []
  for await (const { key } of house.app.blobs.list('registry/')) keys.push(key)
  expect(keys.filter((key) => key.includes(digestOf(blob).slice(7)))).toEqual([])
})

test('a pull is counted beside the deletion of its repository, and neither waits for the other for ever', async () => {
  const acme = await newPusher(house, address, 'Pulled while it goes')
  const name = `${acme.slug}/app`
  const { digest } = await pushImage(acme.ask, name, { tag: '1.0' })
  const other = await pushImage(acme.ask, `${acme.slug}/other`, { tag: '1.0' })
  const repositories = () =>
    house.db.selectFrom('registry_repository').select(['id', 'name', 'pulls']).where('account_id', '=', acme.account_id).execute()
  const known = await repositories()
  let counting: Promise<void> | undefined
  await house.db.transaction().execute(async (tx) => {
    await lockRegistry(tx, acme.account_id)
    // As the deletion does: the repository first, then what is in it.
    const isIt = sql`account_id = ${acme.account_id} and name = 'app'`
    await sql`select from registry_repository where ${isIt} for update`.execute(tx)
    for (const { id, name: one } of known)
      countPull(house.app, { account_id: acme.account_id, repository_id: id, name: one }, one === 'app' ? digest : other.digest)
    counting = writePulls(house.app)
    counting.catch(() => {})
    await untilWaiting()
    await tx.deleteFrom('registry_manifest').where('account_id', '=', acme.account_id).where('digest', '=', digest).execute()
    await sql`delete from registry_repository where ${isIt}`.execute(tx)
  })
  await counting
  expect(await repositories()).toMatchObject([{ name: 'other', pulls: 1 }])
})

test('ranks are kept one after the other with whatever else changes images of the account', async () => {
  const acme = await newPusher(house, address, 'Ranked while it goes')
  await pushImage(acme.ask, `${acme.slug}/app`, { tag: '1.0' })
  let ranking: Promise<void> | undefined
  await house.db.transaction().execute(async (tx) => {
    await lockRegistry(tx, acme.account_id)
    ranking = rankImages(house.app)
    await untilWaiting()
    await tx.deleteFrom('registry_manifest').where('account_id', '=', acme.account_id).execute()
  })
  await ranking
})

test('clean-up leaves what a push asks for just now, and neither waits for the other for ever', async () => {
  const acme = await newPusher(house, address, 'Old blobs')
  const name = `${acme.slug}/app`
  for (let n = 0; n < 2; n++) await pushBlob(acme.ask, name, randomBytes(100))
  house.clock.advance({ hours: 25 })
  const held = async () =>
    (await sql<{ digest: string }>`select digest from registry_held where account_id = ${acme.account_id} order by ctid`.execute(house.db))
      .rows
  const [first, second] = (await held()).map(({ digest }) => digest)
  let cleaning: ReturnType<typeof cleanUp> | undefined
  await house.db.transaction().execute(async (tx) => {
    const want = (digest: string) =>
      tx
        .updateTable('registry_held')
        .set({ held_at: house.clock.now() })
        .where('account_id', '=', acme.account_id)
        .where('digest', '=', digest)
        .execute()
    await want(second!)
    cleaning = cleanUp(house.app)
    cleaning.catch(() => {})
    await Promise.race([cleaning, untilWaiting().catch(() => {})])
    await want(first!)
  })
  expect((await cleaning!).links).toBeGreaterThan(0)
  expect((await held()).map(({ digest }) => digest)).toEqual([second])
})

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFleetAssets, createFleet } from '@masthead/contract/alpon-fleets/operations'
import { getRolloutPreview, listRolloutAssets, startRollout } from '@masthead/contract/alpon-fleets/rollout-operations'
import { addPoolAssets } from '@masthead/contract/datapools/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset, addSession } from '../../assets/test-stock.ts'
import { takeUsage } from '../../datapools/index.ts'
import { putPool } from '../../datapools/test-pools.ts'
import type { Tx } from '../../kernel/app.ts'
import { digestOf, newPusher, ociIndex, ociManifest, pushImage, putManifest, type Client } from '../../registry/test-registry.ts'
import { putDevice, putVersion } from '../test-fleet.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

/** What the agent of an asset said: its processor, and the digests of the images that it runs. */
const says = (asset_id: string, arch: string, digests: readonly string[]) =>
  house.db
    .updateTable('device')
    .set({
      reported: JSON.stringify({ agent: { host: { arch }, containers: ['x', null, ...digests.map((digest) => ({ digest }))] } }),
    } as never)
    .where('asset_id', '=', asset_id)
    .execute()

async function newDevice(person: Person, arch: string, digests: readonly string[] = [], tags: string[] = []) {
  const asset = await addAsset(house, person, { tags })
  await putDevice(house, { account_id: person.account_id, asset_id: asset.id })
  await says(asset.id, arch, digests)
  return asset
}

const configBytes = ({ manifest }: { manifest: string }) => (JSON.parse(manifest) as { config: { size: number } }).config.size

/** An image for two processors, with an attestation beside them. `config`: bytes of the configuration by processor. */
async function pushForTwo(ask: Client, repository: string, layers: Record<'arm64' | 'amd64', Buffer[]>) {
  const push = (architecture: string, own: Buffer[], os = 'linux') =>
    pushImage(ask, repository, { layers: own, config: { os, architecture, author: repository } })
  const [arm64, amd64] = [await push('arm64', layers.arm64), await push('amd64', layers.amd64)]
  const attestation = await push('unknown', [randomBytes(90_000)], 'unknown')
  const manifests = [arm64, amd64, attestation].map(({ digest, size }) => ({ mediaType: ociManifest, digest, size }))
  const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndex, manifests })
  const digest = digestOf(index)
  expect((await putManifest(ask, repository, digest, index, ociIndex)).status).toBe(201)
  return { digest, config: { arm64: configBytes(arm64), amd64: configBytes(amd64) } }
}

async function newFleet(person: Person, assets: readonly { id: string }[], images: readonly string[]) {
  const { body } = await person.call(createFleet, { body: { name: 'Depots' } })
  const added = await person.call(addFleetAssets, { params: { fleet_id: body.id }, body: { assets: assets.map(({ id }) => id) } })
  expect(added.status).toBe(200)
  await putVersion(house, { account_id: person.account_id, fleet_id: body.id, images })
  return body.id
}
const check = async (person: Person, fleet_id: string) =>
  (await person.call(getRolloutPreview, { params: { fleet_id }, query: { version: 1 } })).body

/** Two images with a layer in common, for two processors, and the one that ran before. */
async function pushBoth(name: string) {
  const pusher = await newPusher(house, address, name)
  const { ask, slug } = pusher
  const base = { arm64: randomBytes(5000), amd64: randomBytes(7000) }
  const app = await pushForTwo(ask, `${slug}/app`, {
    arm64: [base.arm64, randomBytes(1000)],
    amd64: [base.amd64, randomBytes(2000)],
  })
  const side = await pushForTwo(ask, `${slug}/side`, { arm64: [base.arm64, randomBytes(300)], amd64: [base.amd64, randomBytes(400)] })
  const before = await pushImage(ask, `${slug}/app`, { layers: [base.arm64, randomBytes(600)] })
  const images = [`registry.test/${slug}/app:2@${app.digest}`, `10.0.0.1:5000/${slug}/side@${side.digest}`]
  return { ...pusher, app, side, before, base, images }
}

test('bytes by processor: layers in common are counted once, what a device runs not at all, and each pool stands beside what is left of it', async () => {
  const { person, account_id, app, side, before, images } = await pushBoth('Two processors')
  const whole = { arm64: 6300 + app.config.arm64 + side.config.arm64, amd64: 9400 + app.config.amd64 + side.config.amd64 }
  const pooled = [await newDevice(person, 'arm64'), await newDevice(person, 'x64', [`sha256:${'ab'.repeat(32)}`])]
  const done = await newDevice(person, 'arm64', [app.digest, side.digest])
  const pool_id = await putPool(house, person, { size_bytes: 15_000 })
  await person.call(addPoolAssets, { params: { pool_id }, body: { assets: [...pooled, done].map(({ id }) => id) } })
  const now = house.clock.now()
  await house.db
    .transaction()
    .execute((tx) =>
      takeUsage(tx as Tx, [{ account_id, sim_id: done.sim!.id, from: now.getTime(), at: now.getTime(), bytes: 1234, mccmnc: '' }], now)
    )
  const others = [await newDevice(person, 'arm64', [app.digest]), await newDevice(person, 'arm64', [before.digest])]
  const noAgent = await addAsset(house, person)
  const fleet_id = await newFleet(person, [...pooled, done, ...others, noAgent], images)

  const unpooled = 300 + side.config.arm64 + (1300 + app.config.arm64 + side.config.arm64)
  const inPool = whole.arm64 + whole.amd64
  expect(inPool).toBeGreaterThan(15_000)
  const preview = await check(person, fleet_id)
  expect(preview).toMatchObject({ devices: 6, online: 5, without_agent: 1 })
  const pool = { id: pool_id, remaining_bytes: 15_000 - 1234, overage_policy: 'stop', overage_percent: null }
  expect(preview.download).toEqual({
    devices: 4,
    bytes: inPool + unpooled,
    unknown_images: [],
    elsewhere: { devices: 0, bytes: 0, incomplete: false },
    pools: [
      {
        pool: { ...pool, name: expect.any(String) as string },
        others: [],
        devices: 2,
        bytes: inPool,
        missing_bytes: inPool - (15_000 - 1234),
        incomplete: false,
      },
      { pool: null, others: [], devices: 2, bytes: unpooled, missing_bytes: 0, incomplete: false },
    ],
  })

  // An image has nothing for this processor.
  await says(done.id, 'riscv64', [])
  expect((await check(person, fleet_id)).download).toMatchObject({
    devices: 5,
    bytes: inPool + unpooled,
    unknown_images: images.toSorted(),
    pools: [
      { devices: 3, bytes: inPool, incomplete: true },
      { devices: 2, incomplete: false },
    ],
  })
})

test('a layer that a device runs from another repository is not downloaded again, and one of two images of other repositories once', async () => {
  const { ask, slug, person, app, side, images, base } = await pushBoth('Shared')
  const elsewhere = await pushImage(ask, `${slug}/elsewhere`, { layers: [base.arm64, randomBytes(900)] })
  const device = await newDevice(person, 'arm64')
  const runs = (containers: object[]) =>
    house.db
      .updateTable('device')
      .set({ reported: JSON.stringify({ agent: { host: { arch: 'arm64' }, containers } }) } as never)
      .where('asset_id', '=', device.id)
      .execute()
  const fleet_id = await newFleet(person, [device], images)
  const own = 1000 + 300 + app.config.arm64 + side.config.arm64
  expect((await check(person, fleet_id)).download!.bytes).toBe(5000 + own)
  await runs([{ image: `10.0.0.1:5000/${slug}/elsewhere:1@${elsewhere.digest}`, digest: elsewhere.digest }])
  expect((await check(person, fleet_id)).download!.bytes).toBe(own)
  // Of a registry that is not ours nothing is known, whatever digest it has.
  await runs([{ image: 'docker.io/library/nginx:1', digest: `sha256:${'ab'.repeat(32)}` }])
  expect((await check(person, fleet_id)).download!.bytes).toBe(5000 + own)
})

test('a SIM of several pools names those that give data where it is, in the order in which it is taken', async () => {
  const { person, account_id, images } = await pushBoth('Several pools')
  const [one, both] = [await newDevice(person, 'arm64'), await newDevice(person, 'arm64')]
  const [last, first] = [await putPool(house, person, { priority: 9 }), await putPool(house, person, { priority: 1 })]
  await person.call(addPoolAssets, { params: { pool_id: last }, body: { assets: [one.id, both.id] } })
  await person.call(addPoolAssets, { params: { pool_id: first }, body: { assets: [both.id] } })
  const fleet_id = await newFleet(person, [one, both], images)
  const pools = async () =>
    (await check(person, fleet_id)).download!.pools!.map(({ pool, others }) => [pool?.id, ...others.map(({ id }) => id)])
  const sorted = (all: unknown[][]) => all.map((ids) => ids.join(' ')).toSorted()
  expect(sorted(await pools())).toEqual(sorted([[last], [first, last]]))
  // Its first pool is of another zone than the network on which the SIM is.
  await house.db.updateTable('data_pool').set({ zone: 'elsewhere' }).where('account_id', '=', account_id).where('id', '=', first).execute()
  expect(sorted(await pools())).toEqual(sorted([[last], [first, last]]))
  await addSession(house, both, account_id)
  expect(await pools()).toEqual([[last]])
  await house.db.updateTable('data_pool').set({ zone: 'elsewhere' }).where('account_id', '=', account_id).where('id', '=', last).execute()
  expect(sorted(await pools())).toEqual(sorted([[], [last]]))
})

test('what a version takes stands at each device of its rollout, by its processor, for those who see the registry', async () => {
  const { person, app, side, images } = await pushBoth('By device')
  const devices = await Promise.all(['arm64', 'x64', 's390x'].map((arch) => newDevice(person, arch)))
  const fleet_id = await newFleet(person, devices, images)
  const plan = { phases: [100], most_failed_percent: 5, retries: 0, minutes_a_device: 30, window: null }
  const { body: rollout } = await person.call(startRollout, { params: { fleet_id }, body: { version: 1, plan } })
  const sizes = async (who: Person) => {
    const { items } = (await who.call(listRolloutAssets, { params: { fleet_id, rollout_id: rollout.id } })).body
    return devices.map(({ id }) => items.find(({ asset_id }) => asset_id === id)!.size_bytes)
  }
  // The layer that both have is counted once.
  const each = [6300 + app.config.arm64 + side.config.arm64, 9400 + app.config.amd64 + side.config.amd64, null]
  expect(await sizes(person)).toEqual(each)
  expect(await sizes(await house.newMember(person, ['alpon_fleets.view']))).toEqual([null, null, null])
})

test('what goes by Ethernet or Wi-Fi, as the device said last, takes from no data pool', async () => {
  const { person, app, side, images } = await pushBoth('By interface')
  const devices = await Promise.all(['wired', 'cellular', 'odd'].map(() => newDevice(person, 'arm64')))
  const pool_id = await putPool(house, person, { size_bytes: 1_000_000 })
  await person.call(addPoolAssets, { params: { pool_id }, body: { assets: devices.map(({ id }) => id) } })
  const fleet_id = await newFleet(person, devices, images)
  const uses = async (asset: { id: string }, interfaces: unknown) => {
    const network = JSON.stringify({ network: { interfaces } })
    await sql`update device set reported = reported || ${network}::jsonb where asset_id = ${asset.id}`.execute(house.db)
  }
  const [wlan, wwan] = [
    { name: 'wlan0', kind: 'W', metric: 600 },
    { name: 'wwan0', kind: 'C', metric: 700 },
  ]
  await uses(devices[0]!, [wwan, { name: 'eth0', kind: 'E', metric: null }, wlan])
  await uses(devices[1]!, [{ ...wlan, metric: 800 }, wwan, null])
  await uses(devices[2]!, 'none')
  const each = 6300 + app.config.arm64 + side.config.arm64
  expect((await check(person, fleet_id)).download).toMatchObject({
    devices: 3,
    bytes: 3 * each,
    elsewhere: { devices: 1, bytes: each },
    pools: [{ pool: { id: pool_id }, devices: 2, bytes: 2 * each }],
  })
})

test('images of other registries, and of other accounts, have no size', async () => {
  const { person, app, images } = await pushBoth('Sized')
  const device = await newDevice(person, 'arm64')
  const foreign = `docker.io/library/nginx:1@sha256:${'cd'.repeat(32)}`
  const fleet_id = await newFleet(person, [device], [images[0]!, foreign])
  const bytes = 6000 + app.config.arm64
  expect((await check(person, fleet_id)).download).toEqual({
    devices: 1,
    bytes,
    unknown_images: [foreign],
    elsewhere: { devices: 0, bytes: 0, incomplete: false },
    pools: [{ pool: null, others: [], devices: 1, bytes, missing_bytes: 0, incomplete: true }],
  })
  const outsider = await newPusher(house, address, 'Outside')
  const theirs = await newFleet(outsider.person, [await newDevice(outsider.person, 'arm64')], [images[0]!])
  expect((await check(outsider.person, theirs)).download).toMatchObject({ devices: 1, bytes: 0, unknown_images: [images[0]] })
})

test('an image that the registry does not have any more is named, and so are those of other registries', async () => {
  const { person, slug, images } = await pushBoth('Gone')
  const gone = `registry.test/${slug}/app:1@sha256:${'ee'.repeat(32)}`
  const foreign = `docker.io/library/nginx:1@sha256:${'cd'.repeat(32)}`
  const fleet_id = await newFleet(person, [await newDevice(person, 'arm64')], [...images, gone, foreign])
  expect(await check(person, fleet_id)).toMatchObject({ gone_images: [gone], foreign_images: [foreign] })
})

test('sizes are for those who see the registry, pools for those who see data pools, and both of the devices that somebody sees', async () => {
  const { person, images } = await pushBoth('Rights')
  const tag = (await person.call(createTag, { body: { name: 'seen' } })).body
  const [seen, hidden] = [await newDevice(person, 'arm64', [], ['seen']), await newDevice(person, 'x64')]
  const [pool_id, other] = [await putPool(house, person), await putPool(house, person)]
  await person.call(addPoolAssets, { params: { pool_id }, body: { assets: [seen.id] } })
  await person.call(addPoolAssets, { params: { pool_id: other }, body: { assets: [hidden.id] } })
  const fleet_id = await newFleet(person, [seen, hidden], images)
  const as = async (rights: string[], tags: string[] = []) =>
    check(await house.newMember(person, ['alpon_fleets.view', ...rights], tags), fleet_id)
  const whole = await check(person, fleet_id)
  expect(whole.download?.pools?.map(({ pool }) => pool?.id).toSorted()).toEqual([pool_id, other].toSorted())
  for (const rights of [[], ['datapools.view']]) expect(await as(rights)).toMatchObject({ devices: 2, download: null })
  expect((await as(['registry.view'])).download).toEqual({ ...whole.download, pools: null })
  const limited = (await as(['registry.view', 'datapools.view'], [tag.id])).download
  expect(limited).toMatchObject({ devices: 1, pools: [{ pool: { id: pool_id }, devices: 1 }] })
  expect(limited?.pools).toHaveLength(1)
})

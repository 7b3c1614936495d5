import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformWords, type Repository, type Tag } from '@masthead/contract/registry/image'
import * as ops from '@masthead/contract/registry/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putContainer } from '../alpon-fleets/test-fleet.ts'
import { addAsset } from '../assets/test-stock.ts'
import { rankImages } from './attached/rank-images.ts'
import { attach, signatureLayer, simpleSigning } from './attached/test-signing.ts'
import { writePulls } from './content/count-pulls.ts'
import { newPusher, pushImage } from './test-registry.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)

type Columns<Row> = Record<string, (row: Row) => string | number>
type PageOf<Row> = { items: Row[]; next: string | null }

/** A list by each column, forwards and backwards, page by page by their places. */
async function expectOrders<Row extends { name: string }>(columns: Columns<Row>, list: (query: object) => Promise<PageOf<Row>>) {
  const { items: all } = await list({})
  for (const [column, value] of Object.entries(columns)) {
    expect(new Set(all.map(value)).size, `${column} differs`).toBeGreaterThan(1)
    const rising = all.toSorted((a, b) => compare(value(a), value(b)) || compare(a.name, b.name)).map(({ name }) => name)
    for (const sort of [column, `-${column}`]) {
      const seen: string[] = []
      for (let after: string | null | undefined; after !== null;) {
        const { items, next } = await list({ sort, page_size: 1, ...(after !== undefined && { after }) })
        seen.push(...items.map(({ name }) => name))
        after = next
      }
      expect(seen, sort).toEqual(sort === column ? rising : rising.toReversed())
    }
  }
}

test('repositories are listed by any column', async () => {
  const acme = await newPusher(house, address, 'Repositories')
  const [asset, another] = [await addAsset(house, acme.person), await addAsset(house, acme.person)]
  const made = { a: { tags: 2, pulls: 0, on: [asset] }, b: { tags: 1, pulls: 3, on: [asset, another] }, c: { tags: 3, pulls: 1, on: [] } }
  for (const [part, { tags, pulls, on }] of Object.entries(made)) {
    const name = `${acme.slug}/${part}`
    for (let n = 0; n < tags; n++) await pushImage(acme.ask, name, { tag: `v${n}`, layers: [randomBytes(1000 * tags)] })
    for (let n = 0; n < pulls; n++) await acme.ask(`/v2/${name}/manifests/v0`)
    for (const { id } of on)
      await putContainer(house, { account_id: acme.account_id, asset_id: id, name: `c-${part}`, image: `registry.test/${name}:v0` })
    await writePulls(house.app)
    house.clock.advance({ seconds: 1 })
  }
  // Nobody pushed to it, and nobody pulled from it.
  await acme.ask(`/v2/${acme.slug}/d/blobs/uploads/`, { method: 'POST' })
  const list = async (query: object) => (await acme.person.call(ops.listRepositories, { query })).body
  const { items } = await list({})
  expect(items.map(({ name, devices }) => [name, devices])).toEqual([
    [`${acme.slug}/a`, 1],
    [`${acme.slug}/b`, 2],
    [`${acme.slug}/c`, 0],
    [`${acme.slug}/d`, 0],
  ])
  const columns: Columns<Repository> = {
    name: ({ name }) => name,
    tags: ({ tags }) => tags,
    size_bytes: ({ size_bytes }) => size_bytes,
    pulls_30_days: (repository) => repository.pulls_30_days,
    devices: ({ devices }) => devices,
    pushed_at: ({ pushed_at }) => pushed_at ?? '',
    pulled_at: ({ pulled_at }) => pulled_at ?? '',
  }
  await expectOrders(columns, list)
})

test('tags are listed by any column', async () => {
  const acme = await newPusher(house, address, 'Tags')
  const name = `${acme.slug}/relay`
  const asset = await addAsset(house, acme.person)
  for (const [tag, architecture, pulls] of [
    ['1.0', 'arm64', 2],
    ['1.1', 'amd64', 0],
    ['1.2', 'arm64', 1],
  ] as const) {
    const { digest } = await pushImage(acme.ask, name, { tag, layers: [randomBytes(1000 + pulls)], config: { architecture } })
    if (tag === '1.1') await attach(acme.ask, name, [signatureLayer(simpleSigning(digest), 'bm9uZQ==')], { subject: digest })
    for (let n = 0; n < pulls; n++) await acme.ask(`/v2/${name}/manifests/${tag}`)
    await writePulls(house.app)
    house.clock.advance({ seconds: 1 })
  }
  await putContainer(house, { account_id: acme.account_id, asset_id: asset.id, name: 'c', image: `registry.test/${name}:1.1` })
  await rankImages(house.app)
  const columns: Columns<Tag> = {
    security: ({ signature }) => (signature && !signature.verified ? 2 : 1),
    name: (tag) => tag.name,
    digest: ({ digest }) => digest,
    size_bytes: ({ size_bytes }) => size_bytes,
    platforms: ({ platforms }) => platformWords(platforms[0]!),
    devices: ({ devices }) => devices,
    pushed_at: ({ pushed_at }) => pushed_at,
    pulled_at: ({ pulled_at }) => pulled_at ?? '',
    pulls: ({ pulls }) => pulls,
  }
  await expectOrders(columns, async (query) => (await acme.person.call(ops.listTags, { params: { repository_id: name }, query })).body)
})

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import * as ops from '@masthead/contract/registry/operations'
import * as retention from '@masthead/contract/registry/retention-operations'
import { sql } from 'kysely'
import { openHouse, type House } from '@masthead/testkit/house'
import { putContainer } from '../../alpon-fleets/test-fleet.ts'
import { addAsset } from '../../assets/test-stock.ts'
import { writePulls } from '../content/count-pulls.ts'
import { newPusher, pushImage } from '../test-registry.ts'
import { cleanUpTags } from './clean-up-tags.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

test('each night deletes what the rules do not keep, says why the rest stays, and is an event', async () => {
  const acme = await newPusher(house, address, 'Nightly')
  const repository = `${acme.slug}/relay`
  const push = (tag: string) => pushImage(acme.ask, repository, { tag, layers: [randomBytes(5000)] })
  for (const tag of ['1.0', '1.1', '1.2-lts', '1.3', '1.4']) {
    await push(tag)
    house.clock.advance({ seconds: 1 })
  }
  await pushImage(acme.ask, repository)
  const asset = await addAsset(house, acme.person)
  await putContainer(house, { account_id: acme.account_id, asset_id: asset.id, name: 'c', image: `registry.test/${repository}:1.0` })
  const ago = sql`interval '44 days'`
  await sql`update registry_tag set pushed_at = pushed_at - ${ago} where account_id = ${acme.account_id}`.execute(house.db)
  await sql`update registry_manifest set pushed_at = pushed_at - ${ago} where account_id = ${acme.account_id}`.execute(house.db)
  await sql`update registry_held set held_at = held_at - ${ago} where account_id = ${acme.account_id}`.execute(house.db)
  await push('2.0')
  await acme.ask(`/v2/${repository}/manifests/1.3`)
  await writePulls(house.app)

  const rule = { keep_newest: 2, keep_days: 30, keep_like: ['*-lts'], untagged_days: 7 }
  const dry = await acme.person.call(retention.previewRetention, { body: { repository, rule } })
  expect(dry.body).toMatchObject({ tags: 1, images: 2, kept: 5 })
  expect(dry.body.freed_bytes).toBeGreaterThan(5000)
  expect(dry.body.going).toMatchObject([
    { tag: '1.1', code: 'old', why: '5th newest of 6; 2 are kept, and it was last pushed 44 days ago' },
  ])
  expect(dry.body.staying.map(({ tag, why }) => `${tag}: ${why}`)).toEqual([
    '2.0: It is number 1 of the newest 2',
    '1.4: It is number 2 of the newest 2',
    '1.3: It was pulled within 30 days',
    '1.2-lts: Its name is like *-lts',
    '1.0: It is deployed on 1 device',
  ])
  expect(dry.body.why_kept).toEqual([
    { code: 'deployed', count: 1 },
    { code: 'like', count: 1 },
    { code: 'newest', count: 2 },
    { code: 'recent', count: 1 },
  ])

  // Nothing is deleted until a rule is set.
  await cleanUpTags(house.app)
  expect((await acme.person.call(retention.listCleanUps)).body.items).toEqual([])
  const set = await acme.person.call(retention.setRetention, { body: { repository, rule } })
  expect(set.body.items).toMatchObject([{ repository, rule, changed_by: acme.person.email }])
  await cleanUpTags(house.app)
  const [last] = (await acme.person.call(retention.listCleanUps)).body.items
  expect(last).toMatchObject({ started_by: null, tags: 1, images: 2, freed_bytes: dry.body.freed_bytes, kept: 5 })
  const report = await acme.person.call(retention.getCleanUp, { params: { clean_up_id: last!.id } })
  expect(report.body).toMatchObject(dry.body)
  const tags = (await acme.person.call(ops.listTags, { params: { repository_id: repository } })).body.items
  expect(tags.map(({ name }) => name)).toEqual(['2.0', '1.4', '1.3', '1.2-lts', '1.0'])
  const { items } = (await acme.person.call(listActivities)).body
  const told = items.map(({ sentence }) => sentence)
  expect(told).toContain('Cleaned up the registry: deleted 1 tags and 2 images, kept 5 tags')
  expect(told).toContain(`Set which tags of ${repository} are kept`)
  // The next night has nothing to do, and is no event.
  await cleanUpTags(house.app)
  expect((await acme.person.call(retention.listCleanUps)).body.total).toBe(1)
  await acme.person.call(retention.setRetention, { body: { repository, rule: null } })
  expect((await acme.person.call(retention.listRetention)).body.items).toEqual([])
})

test('a signature by its tag counts for nothing itself: it stays and goes with its image', async () => {
  const acme = await newPusher(house, address, 'Signed')
  const repository = `${acme.slug}/app`
  const signed: string[] = []
  for (const tag of ['1', '2']) {
    const { digest } = await pushImage(acme.ask, repository, { tag })
    house.clock.advance({ seconds: 1 })
    signed.push(digest.replace(':', '-'))
    await pushImage(acme.ask, repository, { tag: `${signed.at(-1)}.sig` })
    house.clock.advance({ hours: 2 })
  }
  const rule = { keep_newest: 1, keep_days: null, keep_like: [], untagged_days: null }
  const { body } = await acme.person.call(retention.previewRetention, { body: { repository: null, rule } })
  expect(new Set(body.going.map(({ tag, code }) => `${tag} ${code}`))).toEqual(new Set(['1 old', `${signed[0]}.sig follows`]))
  expect(new Set(body.staying.map(({ tag, code }) => `${tag} ${code}`))).toEqual(new Set(['2 newest', `${signed[1]}.sig belongs`]))
})

test('a rule that says nothing is refused, and one of another account’s repository finds none', async () => {
  const owner = await house.newOwner('Empty')
  expect((await owner.call(retention.cleanUpNow)).body).toMatchObject({ tags: 0, kept: 0, freed_bytes: 0 })
  const rule = { keep_newest: null, keep_days: null, keep_like: ['v*'], untagged_days: null }
  const refused = await owner.call(retention.setRetention, { body: { repository: null, rule } })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('Say how many tags are kept')
  const acme = await newPusher(house, address, 'Theirs')
  await pushImage(acme.ask, `${acme.slug}/app`, { tag: '1' })
  const theirs = { repository: `${acme.slug}/app`, rule: { ...rule, keep_days: 3 } }
  expect((await owner.call(retention.setRetention, { body: theirs })).status).toBe(404)
  expect((await owner.call(retention.previewRetention, { body: theirs })).status).toBe(404)
})

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import * as ops from '@masthead/contract/registry/operations'
import { getUntagged, removeUntagged } from '@masthead/contract/registry/removal-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putContainer } from '../../alpon-fleets/test-fleet.ts'
import { addAsset } from '../../assets/test-stock.ts'
import { digestOf, newPusher, ociIndex, ociManifest, pushImage, putManifest } from '../test-registry.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

async function newRepository(name: string) {
  const acme = await newPusher(house, address, name)
  const repository = `${acme.slug}/relay`
  const params = { repository_id: repository }
  return {
    ...acme,
    repository,
    params,
    push: (more: object = {}) => pushImage(acme.ask, repository, { layers: [randomBytes(2000)], ...more }),
    pushIndex: async (reference: string | null, images: { digest: string; size: number }[]) => {
      const manifests = images.map(({ digest, size }) => ({ mediaType: ociManifest, digest, size }))
      const index = JSON.stringify({ schemaVersion: 2, manifests })
      const answer = await putManifest(acme.ask, repository, reference ?? digestOf(index), index, ociIndex)
      expect(answer.status, answer.text).toBe(201)
      return digestOf(index)
    },
    untagged: async () => {
      const answer = await acme.person.call(getUntagged, { params })
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    },
    remove: (images: number) => acme.person.call(removeUntagged, { params, body: { images } }),
    used: async () => (await acme.person.call(ops.getRegistry)).body.used_bytes,
    has: async (digest: string) => (await acme.ask(`/v2/${repository}/manifests/${digest}`, { method: 'HEAD' })).status === 200,
  }
}

test('images to which no tag leads are counted, and deleted with what hangs on them; what runs, is new or belongs to a tag is kept', async () => {
  const acme = await newRepository('Untagged')
  // A tag that names another image from now on.
  const before = await acme.push({ tag: 'v1' })
  expect(await acme.untagged()).toEqual({ images: 0, freed_bytes: 0, pulled_30_days: 0, needed: 0 })
  const now = await acme.push({ tag: 'v1' })
  // An index that a client deletes leaves its images, and the signature of one.
  const [arm, amd] = [await acme.push(), await acme.push()]
  const subject = { mediaType: ociManifest, digest: arm.digest, size: arm.size }
  const signature = await acme.push({ more: { subject, artifactType: 'application/example' } })
  const index = await acme.pushIndex(null, [arm, amd])
  expect((await acme.ask(`/v2/${acme.repository}/manifests/${index}`, { method: 'DELETE' })).status).toBe(202)
  // An index without a tag of which one image has a name of its own, and goes without it.
  const named = await acme.push({ tag: 'own' })
  const loose = await acme.pushIndex(null, [named])
  // One that stays, with its image.
  const child = await acme.push()
  const kept = await acme.pushIndex('all', [child])
  const runs = await acme.push()
  const asset = await addAsset(house, acme.person)
  await putContainer(house, { account_id: acme.account_id, asset_id: asset.id, name: 'c', image: `h/${acme.repository}@${runs.digest}` })
  expect(await acme.untagged()).toMatchObject({ images: 0, needed: 0 })

  house.clock.advance({ hours: 2 })
  // As before the index that comes next.
  const fresh = await acme.push()
  const seen = await acme.untagged()
  expect(seen).toMatchObject({ images: 5, pulled_30_days: 0, needed: 1 })
  expect(seen.freed_bytes).toBeGreaterThan(4 * 2000)
  expect(await acme.remove(4)).toMatchObject({ status: 409, body: { code: 'untagged_changed' } })
  const used = await acme.used()
  expect((await acme.remove(5)).body).toEqual({ images: 5, freed_bytes: seen.freed_bytes })
  expect(used - (await acme.used())).toBe(seen.freed_bytes)
  for (const digest of [before.digest, arm.digest, amd.digest, signature.digest, loose]) expect(await acme.has(digest)).toBe(false)
  for (const digest of [now.digest, named.digest, kept, child.digest, runs.digest, fresh.digest]) expect(await acme.has(digest)).toBe(true)
  expect(await acme.untagged()).toMatchObject({ images: 0, needed: 1 })
  const { items } = (await acme.person.call(listActivities)).body
  expect(items.slice(0, 4).map(({ metadata }) => metadata.action)).toEqual(Array.from({ length: 4 }, () => 'image_deleted'))
})

test('who looks reads how many of them were pulled lately, and only who may edit deletes them', async () => {
  const acme = await newRepository('Pulled by digest')
  const { digest } = await acme.push()
  house.clock.advance({ hours: 2 })
  await house.db
    .updateTable('registry_manifest')
    .set({ pulled_at: house.clock.now() })
    .where('account_id', '=', acme.account_id)
    .where('digest', '=', digest)
    .execute()
  const looking = await house.newMember(acme.person, ['registry.view'])
  expect((await looking.call(getUntagged, { params: acme.params })).body).toMatchObject({ images: 1, pulled_30_days: 1 })
  expect((await looking.call(removeUntagged, { params: acme.params, body: { images: 1 } })).status).toBe(403)
  expect((await acme.remove(1)).status).toBe(200)
})

test('some thousand of them are deleted in one go, and each has its activity', async () => {
  const acme = await newRepository('Thousands')
  const kept = await acme.push({ tag: 'v1' })
  const first = await acme.push()
  const of = sql`account_id = ${acme.account_id} and digest = ${first.digest}`
  await sql`insert into registry_manifest select (jsonb_populate_record(m, jsonb_build_object('digest',
      'sha256:' || encode(sha256(convert_to(n::text, 'UTF8')), 'hex')))).* from registry_manifest m, generate_series(1, 3000) n
    where ${of}`.execute(house.db)
  await sql`insert into registry_reference select r.account_id, r.repository_id, m.digest, r.target, r.kind
    from (select * from registry_reference where ${of}) r join registry_manifest m
      on m.account_id = r.account_id and m.repository_id = r.repository_id and m.digest not in (${first.digest}, ${kept.digest})`.execute(
    house.db
  )
  house.clock.advance({ hours: 2 })
  const seen = await acme.untagged()
  expect(seen).toMatchObject({ images: 3001, needed: 0 })
  const used = await acme.used()
  expect(await acme.remove(3001)).toMatchObject({ status: 200, body: { images: 3001, freed_bytes: seen.freed_bytes } })
  expect(used - (await acme.used())).toBe(seen.freed_bytes)
  // The layer that they all named goes with the last of them; the configuration is that of the one that stays.
  expect(seen.freed_bytes).toBe(3001 * first.size + 2000)
  expect([await acme.has(first.digest), await acme.has(kept.digest)]).toEqual([false, true])
  expect(await acme.untagged()).toMatchObject({ images: 0 })
  const deleted = (await house.events(acme.account_id)).filter(({ name }) => name === 'registry.image_deleted')
  expect(new Set(deleted.map(({ detail }) => (detail as { digest: string }).digest)).size).toBe(3001)
})

test('ten thousand indexes of which each names the next are looked through', async () => {
  const acme = await newRepository('Chain')
  const first = await acme.push()
  const name = (n: ReturnType<typeof sql>) => sql`'sha256:' || encode(sha256(convert_to(${n}::text, 'UTF8')), 'hex')`
  const of = sql`account_id = ${acme.account_id} and digest = ${first.digest}`
  await sql`insert into registry_manifest select (jsonb_populate_record(m, jsonb_build_object('digest', ${name(sql`n`)}))).*
    from registry_manifest m, generate_series(1, 10000) n where ${of}`.execute(house.db)
  // As the database does by itself within a minute. Of tables that were filled just now it knows nothing, and looks through all of them at each step.
  await sql`analyze registry_manifest`.execute(house.db)
  await sql`insert into registry_reference select m.account_id, m.repository_id, ${name(sql`n`)}, ${name(sql`(n + 1)`)}, 'manifest'
    from registry_manifest m, generate_series(1, 9999) n where ${of}`.execute(house.db)
  await sql`analyze registry_reference`.execute(house.db)
  house.clock.advance({ hours: 2 })
  const seen = await acme.untagged()
  expect(seen).toMatchObject({ images: 10_001, needed: 0 })
  expect((await acme.remove(10_001)).status).toBe(200)
  expect(await acme.untagged()).toMatchObject({ images: 0 })
})

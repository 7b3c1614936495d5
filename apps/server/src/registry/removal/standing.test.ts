import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { previewRemoval } from '@masthead/contract/registry/removal-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { putContainer } from '../../alpon-fleets/test-fleet.ts'
import { addAsset } from '../../assets/test-stock.ts'
import type { Repository } from '../content/repository.ts'
import { needSlug } from '../content/slug.ts'
import { putRepository, randomRepository } from '../retention/test-random-repository.ts'
import { digestOf } from '../test-registry.ts'
import { planRemoval, whyFixed, whyNeeded, withoutTag, withWhatHangsOn } from './plan-removal.ts'
import { stillPushed } from './remove.ts'
import { isNeeded, readStanding, readStandings, type Standing } from './standing.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const sorted = (texts: Iterable<string>) => [...texts].toSorted()

/** How many bytes are free where some manifests of a repository are gone, counted row by row. */
async function countFreed({ account_id, repository_id }: Repository, digests: readonly string[]) {
  const { db } = house
  const going = new Set(digests)
  const held = await db
    .selectFrom('registry_held')
    .select(['repository_id', 'digest', 'bytes', 'held_at'])
    .where('account_id', '=', account_id)
    .execute()
  const references = await db
    .selectFrom('registry_reference')
    .select(['digest', 'target'])
    .where('repository_id', '=', repository_id)
    .execute()
  const manifests = await db
    .selectFrom('registry_manifest')
    .select(['digest', 'bytes'])
    .where('repository_id', '=', repository_id)
    .execute()
  const named = Map.groupBy(references, ({ target }) => target)
  const before = house.clock.now().getTime() - stillPushed
  const isFree = (row: (typeof held)[number]) =>
    row.repository_id === repository_id &&
    row.held_at.getTime() < before &&
    named.get(row.digest)?.every(({ digest }) => going.has(digest)) === true
  const blobs = [...Map.groupBy(held, ({ digest }) => digest).values()].flatMap((rows) => (rows.every(isFree) ? [rows[0]!] : []))
  return [...manifests.filter(({ digest }) => going.has(digest)), ...blobs].reduce((sum, { bytes }) => sum + bytes, 0)
}

/** The order in which rows were read means nothing but for tags. */
const inOrder = ({ manifests, parents, attached, ...standing }: Standing) => ({
  ...standing,
  manifests: new Map([...manifests].map(([digest, { children, ...manifest }]) => [digest, { ...manifest, children: sorted(children) }])),
  parents: new Map([...parents].map(([digest, of]) => [digest, sorted(of)])),
  attached: new Map([...attached].map(([digest, of]) => [digest, sorted(of)])),
})

/** What a preview says is free where some tags of a repository go. */
async function expectFreed(owner: Person, whole: Standing, names: readonly string[]) {
  const { repository } = whole
  const tags = whole.tags.filter((tag) => names.includes(tag.name) && !whyFixed(tag))
  const freed = (going: typeof tags, keeps: (digest: string) => boolean) =>
    countFreed(
      repository,
      planRemoval(
        whole,
        going.map(({ name }) => name),
        keeps
      ).digests
    )
  const needed = (digest: string) => isNeeded(whole, digest)
  const { body } = await owner.call(previewRemoval, { params: { repository_id: repository.name }, body: { names: [...names] } })
  const unneeded = tags.filter((tag) => !whyNeeded(whole, tag, true))
  expect([body.unused.freed_bytes, body.names_only.freed_bytes, body.all.freed_bytes]).toEqual([
    await freed(unneeded, needed),
    await freed(tags, needed),
    await freed(tags, () => false),
  ])
}

test(
  'what is planned from the part of a repository around some images is what is planned from all of it',
  { timeout: 300_000 },
  async () => {
    let taken = 0
    const property = fc.asyncProperty(
      randomRepository,
      randomRepository,
      fc.array(fc.nat(11), { maxLength: 4 }),
      async (made, other, chosen) => {
        const owner = await house.newOwner('Random')
        const { account_id } = owner
        const [{ db }, at] = [house.app, house.clock.now()]
        const slug = await db.transaction().execute((tx) => needSlug(tx, account_id, at))
        const asset = await addAsset(house, owner)
        for (const [n, image] of (await putRepository(house, owner, 'one', made)).entries())
          await putContainer(house, { account_id, asset_id: asset.id, name: `c${n}`, image: `registry.test/${slug}/one${image}` })
        await putRepository(house, owner, 'two', other)
        // Somebody has just pushed it for the next image.
        const fresh = { digest: digestOf(`${account_id} 0`), held_at: at }
        await house.db
          .updateTable('registry_held')
          .set(fresh)
          .where('account_id', '=', account_id)
          .where('digest', '=', fresh.digest)
          .execute()
        const rows = await house.db.selectFrom('registry_repository').select(['id', 'name']).where('account_id', '=', account_id).execute()
        const repositories = rows.map(({ id, name }) => ({ account_id, repository_id: id, name: `${slug}/${name}` }))
        const one = repositories.find(({ name }) => name.endsWith('/one'))!
        const whole = await readStanding(db, one, at)
        // Of several at once each is as it is by itself.
        const both = await readStandings(db, repositories, at)
        expect(inOrder(both.find(({ repository }) => repository === one)!)).toEqual(inOrder(whole))

        const names = [...new Set(chosen.flatMap((n) => (whole.tags.length > 0 ? [whole.tags[n % whole.tags.length]!.name] : [])))]
        const images = whole.tags.filter(({ name }) => names.includes(name)).map(({ digest }) => digest)
        const near = await readStanding(db, one, at, images)
        taken += whole.manifests.size - near.manifests.size
        for (const keeps of [() => false, isNeeded]) {
          const plan = (standing: Standing) => sorted(planRemoval(standing, names, (digest) => keeps(standing, digest)).digests)
          expect(plan(near)).toEqual(plan(whole))
        }
        if (names.length > 0) await expectFreed(owner, whole, names)
        const others = (standing: Standing) => standing.tags.filter(({ digest }) => images.includes(digest))
        expect(others(near)).toEqual(others(whole))

        const alone = withoutTag(whole)
        const around = await readStanding(db, one, at, alone)
        expect(sorted(withoutTag(around))).toEqual(sorted(alone))
        const named = (standing: Standing) => {
          const tagged = new Set(standing.tags.map(({ digest }) => digest))
          return sorted(withWhatHangsOn(standing, alone, (digest) => tagged.has(digest) || isNeeded(standing, digest)))
        }
        expect(named(around)).toEqual(named(whole))
      }
    )
    await fc.assert(property, { numRuns: 40 })
    // A part that was always all of it would prove nothing.
    expect(taken).toBeGreaterThan(0)
  }
)

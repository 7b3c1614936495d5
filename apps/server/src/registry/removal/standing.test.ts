import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { putContainer } from '../../alpon-fleets/test-fleet.ts'
import { addAsset } from '../../assets/test-stock.ts'
import { needSlug } from '../content/slug.ts'
import { putRepository, randomRepository } from '../retention/test-random-repository.ts'
import { planRemoval, withoutTag, withWhatHangsOn } from './plan-removal.ts'
import { isNeeded, readStanding, readStandings, type Standing } from './standing.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const sorted = (texts: Iterable<string>) => [...texts].toSorted()

test(
  'what is planned from the part of a repository around some images is what is planned from all of it',
  { timeout: 300_000 },
  async () => {
    let taken = 0
    const property = fc.asyncProperty(randomRepository, fc.array(fc.nat(11), { maxLength: 4 }), async (made, chosen) => {
      const owner = await house.newOwner('Random')
      const { account_id } = owner
      const [{ db }, at] = [house.app, house.clock.now()]
      const slug = await db.transaction().execute((tx) => needSlug(tx, account_id, at))
      const asset = await addAsset(house, owner)
      for (const [n, image] of (await putRepository(house, owner, 'one', made)).entries())
        await putContainer(house, { account_id, asset_id: asset.id, name: `c${n}`, image: `registry.test/${slug}/one${image}` })
      await putRepository(house, owner, 'two', made)
      const rows = await house.db.selectFrom('registry_repository').select(['id', 'name']).where('account_id', '=', account_id).execute()
      const repositories = rows.map(({ id, name }) => ({ account_id, repository_id: id, name: `${slug}/${name}` }))
      const one = repositories.find(({ name }) => name.endsWith('/one'))!
      const whole = await readStanding(db, one, at)
      // Of several at once each is as it is by itself.
      const both = await readStandings(db, repositories, at)
      expect(both.find(({ repository }) => repository === one)).toEqual(whole)

      const names = [...new Set(chosen.flatMap((n) => (whole.tags.length > 0 ? [whole.tags[n % whole.tags.length]!.name] : [])))]
      const images = whole.tags.filter(({ name }) => names.includes(name)).map(({ digest }) => digest)
      const near = await readStanding(db, one, at, images)
      taken += whole.manifests.size - near.manifests.size
      for (const keeps of [() => false, isNeeded]) {
        const plan = (standing: Standing) => sorted(planRemoval(standing, names, (digest) => keeps(standing, digest)).digests)
        expect(plan(near)).toEqual(plan(whole))
      }
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
    })
    await fc.assert(property, { numRuns: 40 })
    // A part that was always all of it would prove nothing.
    expect(taken).toBeGreaterThan(0)
  }
)

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getRegistry } from '@masthead/contract/registry/operations'
import { setImmutableTags } from '@masthead/contract/registry/removal-operations'
import { patternFor } from '@masthead/contract/registry/removal'
import * as retention from '@masthead/contract/registry/retention-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putContainer } from '../../alpon-fleets/test-fleet.ts'
import { addAsset } from '../../assets/test-stock.ts'
import { putRepository, randomRepository, randomRule } from './test-random-repository.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const dayMs = 86_400_000
const runs = Number(process.env.RETENTION_RUNS ?? 40)

test('what a dry run says of any repositories and rules is what the run then does', { timeout: 600_000 }, async () => {
  const property = fc.asyncProperty(
    randomRepository,
    randomRepository,
    randomRule,
    fc.option(randomRule),
    fc.boolean(),
    async (one, two, rule, own, immutable) => {
      const owner = await house.newOwner('Random')
      const { account_id } = owner
      const { slug } = (await owner.call(setImmutableTags, { body: { patterns: immutable ? ['two:v1'] : [] } })).body
      const asset = await addAsset(house, owner)
      const uses = new Map<string, string[]>()
      for (const [name, made] of [
        ['one', one],
        ['two', two],
      ] as const) {
        const named = await putRepository(house, owner, name, made)
        uses.set(name, named)
        for (const [n, image] of named.entries())
          await putContainer(house, {
            account_id,
            asset_id: asset.id,
            name: `${name}-${n}`,
            image: `registry.test/${slug}/${name}${image}`,
          })
      }
      const all = await tagsOf(account_id)
      const used = async () => (await owner.call(getRegistry)).body.used_bytes

      if (own) expect((await owner.call(retention.setRetention, { body: { repository: `${slug}/two`, rule: own } })).status).toBe(200)
      const dry = await owner.call(retention.previewRetention, { body: { repository: null, rule } })
      expect(dry.status, dry.text).toBe(200)
      expect(await tagsOf(account_id)).toEqual(all)
      const before = await used()
      await owner.call(retention.setRetention, { body: { repository: null, rule } })
      const run = await owner.call(retention.cleanUpNow)
      expect(run.status, run.text).toBe(200)
      const { id, at: _at, started_by: _by, ...did } = run.body
      expect(did).toEqual(dry.body)
      expect((await owner.call(retention.getCleanUp, { params: { clean_up_id: id } })).body).toEqual(run.body)
      expect(before - (await used())).toBe(dry.body.freed_bytes)

      // What is there now is what was said to stay, and each that went was kept by nothing.
      const left = await tagsOf(account_id)
      const named = ({ repository, tag }: { repository: string; tag: string }) => `${repository}:${tag}`
      expect(left.map(({ repository, name }) => `${slug}/${repository}:${name}`).toSorted()).toEqual(dry.body.staying.map(named).toSorted())
      for (const gone of dry.body.going) {
        const repository = gone.repository.slice(slug!.length + 1)
        const tag = all.find((each) => each.repository === repository && each.name === gone.tag)!
        const by = repository === 'two' && own ? own : rule
        expect(tag.protected).toBe(false)
        expect(uses.get(repository)).not.toContain(`:${tag.name}`)
        expect(uses.get(repository)).not.toContain(`@${tag.digest}`)
        if (immutable) expect(`${repository}:${tag.name}`).not.toBe('two:v1')
        if (gone.code === 'follows') continue
        expect(patternFor(by.keep_like, repository)(tag.name)).toBeNull()
        const newer = all.filter((each) => each.repository === repository && !each.name.startsWith('sha256-') && isNewer(each, tag)).length
        if (by.keep_newest !== null) expect(newer).toBeGreaterThanOrEqual(by.keep_newest)
        const since = Math.max(tag.pushed_at.getTime(), tag.pulled_at?.getTime() ?? 0)
        if (by.keep_days !== null) expect(house.clock.now().getTime() - since).toBeGreaterThanOrEqual(by.keep_days * dayMs)
      }
      await expectWhole(account_id)
      for (const [repository, images] of uses)
        for (const image of images.filter((each) => each.startsWith('@')))
          expect(await hasManifest(account_id, repository, image.slice(1))).toBe(true)
      expect((await owner.call(retention.cleanUpNow)).body.tags).toBe(0)
    }
  )
  await fc.assert(property, { numRuns: runs, interruptAfterTimeLimit: 500_000 })
})

type Tag = Awaited<ReturnType<typeof tagsOf>>[number]
const isNewer = (one: Tag, other: Tag) =>
  one.pushed_at > other.pushed_at || (one.pushed_at.getTime() === other.pushed_at.getTime() && one.name > other.name)

const tagsOf = (account_id: string) =>
  house.db
    .selectFrom('registry_tag as t')
    .innerJoin('registry_repository as r', 'r.id', 't.repository_id')
    .innerJoin('registry_manifest as m', (join) => join.onRef('m.repository_id', '=', 't.repository_id').onRef('m.digest', '=', 't.digest'))
    .select(['r.name as repository', 't.name', 't.digest', 't.protected', 't.pushed_at', 'm.pulled_at'])
    .where('t.account_id', '=', account_id)
    .orderBy('r.name')
    .orderBy('t.name')
    .execute()

const hasManifest = async (account_id: string, repository: string, digest: string) =>
  (await house.db
    .selectFrom('registry_manifest as m')
    .innerJoin('registry_repository as r', 'r.id', 'm.repository_id')
    .select('m.digest')
    .where('m.account_id', '=', account_id)
    .where('r.name', '=', repository)
    .where('m.digest', '=', digest)
    .executeTakeFirst()) !== undefined

/** Each manifest that is left has all that it names. */
async function expectWhole(account_id: string) {
  const missing = await house.db
    .selectFrom('registry_reference as f')
    .select(['f.digest', 'f.target'])
    .where('f.account_id', '=', account_id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('registry_held as h')
            .select('h.digest')
            .whereRef('h.repository_id', '=', 'f.repository_id')
            .whereRef('h.digest', '=', 'f.target')
        )
      )
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('registry_manifest as m')
            .select('m.digest')
            .whereRef('m.repository_id', '=', 'f.repository_id')
            .whereRef('m.digest', '=', 'f.target')
        )
      )
    )
    .execute()
  expect(missing).toEqual([])
}

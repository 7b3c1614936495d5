import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { House, Person } from '@masthead/testkit/house'
import { digestOf, ociIndex, ociManifest } from '../test-registry.ts'

const dayMs = 86_400_000
const small = (most: number) => fc.integer({ min: 0, max: most })
const age = fc.integer({ min: 0, max: 90 })

const manifest = fc.record({
  blobs: fc.array(small(5), { minLength: 1, maxLength: 3 }),
  /** Of the manifests before it. */
  children: fc.array(small(6), { maxLength: 2 }),
  subject: fc.option(small(6), { freq: 4 }),
  pushed: age,
  pulled: fc.option(age, { freq: 2 }),
})
const tag = fc.record({
  name: fc.constantFrom('latest', 'stable', 'v1', 'v2', 'v3', 'test-1', 'test-2', 'x', 'y', 'release-1'),
  of: small(7),
  pushed: age,
  protected: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})
const signature = fc.record({ of: small(7), signs: small(7), pushed: age })
/** What a device's container names: a tag, or a digest. */
const use = fc.oneof(fc.constantFrom('latest', 'v1', 'test-1', 'gone'), small(7))
const limit = (most: number) => fc.option(fc.integer({ min: 1, max: most }), { freq: 2 })

export const randomRule = fc
  .record({
    keep_newest: limit(5),
    keep_days: limit(60),
    keep_like: fc.subarray(['v*', 'one:stable', '*-1'], { maxLength: 2 }),
    untagged_days: limit(60),
  })
  .filter(({ keep_newest, keep_days, untagged_days }) => keep_newest !== null || keep_days !== null || untagged_days !== null)

export const randomRepository = fc.record({
  manifests: fc.array(manifest, { minLength: 1, maxLength: 8 }),
  tags: fc.array(tag, { maxLength: 10 }),
  signatures: fc.array(signature, { maxLength: 2 }),
  uses: fc.array(use, { maxLength: 2 }),
})
type RandomRepository = typeof randomRepository extends fc.Arbitrary<infer Value> ? Value : never

/** Writes a repository as if it had been pushed over the last 90 days; `name`: without the slug. Answers what devices are to name in it. */
export async function putRepository({ db, clock }: House, { account_id }: Person, name: string, made: RandomRepository): Promise<string[]> {
  const now = clock.now()
  const ago = (days: number) => new Date(now.getTime() - days * dayMs - 7_200_000)
  const repository_id = `rpo_${randomUUID()}`
  const within = { account_id, repository_id }
  await db
    .insertInto('registry_repository')
    .values({ account_id, id: repository_id, name, created_at: ago(90) })
    .execute()
  const digests: string[] = []
  for (const [n, { blobs, children, subject, pushed, pulled }] of made.manifests.entries()) {
    const names = [...new Set(blobs)].map((blob) => ({ digest: digestOf(`${account_id} ${blob}`), bytes: 100 + blob }))
    for (const { digest, bytes } of names) {
      await db
        .insertInto('registry_blob')
        .values({ digest, bytes, key: `registry/none/${digest}`, kept_at: ago(90) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await db
        .insertInto('registry_held')
        .values({ ...within, digest, bytes, held_at: ago(1) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    const named = n === 0 ? [] : [...new Set(children.map((child) => digests[child % n]!))]
    const about = subject === null || n === 0 ? null : digests[subject % n]!
    const content = Buffer.from(JSON.stringify({ n, account_id, name, names, named, about }))
    const digest = digestOf(content)
    digests.push(digest)
    await db
      .insertInto('registry_manifest')
      .values({
        ...within,
        digest,
        media_type: named.length > 0 ? ociIndex : ociManifest,
        artifact_type: null,
        subject: about,
        content,
        bytes: content.length,
        size_bytes: content.length,
        annotations: '{}',
        platforms: '[]',
        config: null,
        image: null,
        pushed_at: ago(pushed),
        pushed_by: 'ci',
        pulled_at: pulled === null ? null : ago(pulled),
      })
      .execute()
    const targets = [
      ...names.map(({ digest: target }) => ({ target, kind: 'layer' as const })),
      ...named.map((target) => ({ target, kind: 'manifest' as const })),
    ]
    await db
      .insertInto('registry_reference')
      .values(targets.map((target) => ({ ...within, digest, ...target })))
      .execute()
  }
  const at = (of: number) => digests[of % digests.length]!
  const signs = made.signatures.map(({ of, signs: image, pushed }) => ({
    name: `${at(image).replace(':', '-')}.sig`,
    digest: at(of),
    pushed_at: ago(pushed),
    protected: false,
  }))
  const tags = made.tags.map((each) => ({ name: each.name, digest: at(each.of), pushed_at: ago(each.pushed), protected: each.protected }))
  for (const each of [...tags, ...signs])
    await db
      .insertInto('registry_tag')
      .values({ ...within, ...each, pushed_by: 'ci' })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return made.uses.map((each) => (typeof each === 'string' ? `:${each}` : `@${at(each)}`))
}

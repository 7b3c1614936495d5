import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { newId } from '@masthead/contract/kernel/id'
import { cleanUpId } from '@masthead/contract/registry/retention'
import { robotId } from '@masthead/contract/registry/robot'
import { signingKeyId } from '@masthead/contract/registry/signature'
import type { House, Person } from '@masthead/testkit/house'
import { readManifest } from './content/read-manifest.ts'
import { digestOf, ociManifest } from './test-registry.ts'

const newPublicKey = () => generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()
/** The same each time it is asked for. */
export const samplePublicKeys = { one: newPublicKey(), other: newPublicKey() }

/** Two repositories, two images in the first with the tags `v1` and `v1.0`, a robot and a clean-up, as if they had been pushed and made. */
export async function putImages({ app: { blobs, config }, db, clock }: House, { account_id, email }: Pick<Person, 'account_id' | 'email'>) {
  const at = clock.now()
  // Nothing is asked of it: it is there, so that an image can be sent to it.
  const scanner = { url: 'http://127.0.0.1:9', authorization: undefined, registry: 'http://127.0.0.1', atOnce: 1 }
  config.integrations = { ...config.integrations, scanner }
  const slug = `s-${randomUUID()}`
  await db.insertInto('registry_account').values({ account_id, slug, created_at: at }).execute()
  const [id, other_id] = [newId({ prefix: 'rpo' }), newId({ prefix: 'rpo' })]
  for (const [each, name] of [
    [id, 'app'],
    [other_id, 'other'],
  ] as const)
    await db
      .insertInto('registry_repository')
      .values({ account_id, id: each, name, created_at: at, pushed_at: at, pushed_by: email })
      .execute()
  const within = { account_id, repository_id: id }
  const put = async (tag: string) => {
    const config = randomBytes(20)
    const named = { mediaType: 'application/vnd.oci.empty.v1+json', digest: digestOf(config), size: config.length }
    await db
      .insertInto('registry_blob')
      .values({ digest: named.digest, key: `registry/none/${randomUUID()}`, bytes: named.size, kept_at: at })
      .execute()
    await db
      .insertInto('registry_held')
      .values({ ...within, digest: named.digest, bytes: named.size, held_at: at })
      .execute()
    // An archive without files.
    const tar = Buffer.concat([Buffer.alloc(1024), randomBytes(20)])
    const layer = { mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: digestOf(tar), size: tar.length }
    const key = `registry/none/${randomUUID()}`
    await blobs.put(key, Readable.from([tar]))
    await db.insertInto('registry_blob').values({ digest: layer.digest, key, bytes: tar.length, kept_at: at }).execute()
    await db
      .insertInto('registry_held')
      .values({ ...within, digest: layer.digest, bytes: tar.length, held_at: at })
      .execute()
    const content = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: ociManifest, config: named, layers: [layer] }))
    const { digest, mediaType, artifactType } = readManifest(content, ociManifest, 'sha256')
    const size = { content, bytes: content.length, size_bytes: content.length + named.size }
    const kinds = {
      media_type: mediaType,
      artifact_type: artifactType,
      subject: null,
      annotations: '{}',
      platforms: '[]',
      config: null,
      image: null,
    }
    await db
      .insertInto('registry_manifest')
      .values({ ...within, digest, ...kinds, ...size, pushed_at: at, pushed_by: email })
      .execute()
    await db
      .insertInto('registry_tag')
      .values({ ...within, name: tag, digest, pushed_at: at, pushed_by: email })
      .execute()
    return digest
  }
  const [digest, other_digest] = [await put('v1'), await put('v1.0')]
  const robot_id = newId(robotId)
  const robot = {
    id: robot_id,
    name: 'sample',
    prefix: 'mhr_sample',
    hash: randomBytes(32),
    can_push: false,
    repositories: [],
    expires_at: null,
  }
  await db
    .insertInto('registry_robot')
    .values({ account_id, ...robot, created_by: email, person_id: '', created_at: at })
    .execute()
  const signing_key_id = newId(signingKeyId)
  const key = { id: signing_key_id, name: 'sample', kind: 'ed25519' as const, fingerprint: randomUUID(), public_key: newPublicKey() }
  await db
    .insertInto('registry_signing_key')
    .values({ account_id, ...key, created_by: email, created_at: at })
    .execute()
  const clean_up_id = newId(cleanUpId)
  const nothing = { tags: 0, images: 0, freed_bytes: 0, kept: 2, report: JSON.stringify({ why_kept: [], going: [], staying: [] }) }
  await db
    .insertInto('registry_clean_up')
    .values({ account_id, id: clean_up_id, at, started_by: email, ...nothing })
    .execute()
  return { slug, clean_up_id, signing_key_id, id, other_id, name: `${slug}/app`, digest, other_digest, robot_id }
}

import { sql } from 'kysely'
import { systemActor, type App } from '../../kernel/app.ts'
import { createRobot } from '../../registry/index.ts'
import { addDemoSigningKey, demoKeyName, listParts, signImage, type Package } from './attached.ts'
import { ownerEmail } from '../people.ts'
import { buildDemoImage, demoImages, type DemoImage } from './build-images.ts'
import { pushBlob, pushManifest, types, type Ask, type Described } from './push-image.ts'

const robotName = 'ci-push'

/** The first of them is in need of an update in the image that is older. */
const packagesOf = (tag: string): Package[] => {
  const npm = (name: string, version: string, licence: string) => ({ name, version, licence, purl: `pkg:npm/${name}@${version}` })
  const debian = (name: string, version: string, licence: string) => {
    return { name, version, licence, purl: `pkg:deb/debian/${name}@${version}?arch=all&distro=debian-12` }
  }
  return [
    npm('lodash', tag === '1.3.0' ? '4.17.20' : '4.17.21', 'MIT'),
    npm('mqtt', '5.10.1', 'MIT'),
    npm('ws', '8.18.0', 'MIT'),
    debian('ca-certificates', '20230311', 'MPL-2.0'),
    debian('tzdata', '2024a-0+deb12u1', 'CC0-1.0'),
  ]
}

/**
 * Pushes images of the demo's owner to the registry by its own protocol, as a build does: once, while there are none. Its robot expires until all are
 * there, by which a start sees that the one before ended in between, and pushes them again.
 */
export async function pushDemoImages(app: App, address: string): Promise<void> {
  const owner = await app.db.selectFrom('person').select(['id', 'account_id', 'email']).where('email', '=', ownerEmail).executeTakeFirst()
  if (!owner) return
  const { account_id, id: person_id, email } = owner
  const left = await app.db
    .selectFrom('registry_robot')
    .select('expires_at')
    .where('account_id', '=', account_id)
    .where('name', '=', robotName)
    .executeTakeFirst()
  const there = await app.db.selectFrom('registry_account').select('slug').where('account_id', '=', account_id).executeTakeFirst()
  if (there && (left?.expires_at ?? null) === null) return
  const actor = { ...systemActor(account_id, app.clock.now()), kind: 'member' as const, email, person_id }
  const { secret } = await app.db.transaction().execute(async (tx) => {
    for (const table of ['registry_robot', 'registry_signing_key'] as const)
      await tx.deleteFrom(table).where('account_id', '=', account_id).where('name', 'in', [robotName, demoKeyName]).execute()
    return createRobot(tx, actor, { name: robotName, can_push: true, repositories: [], expires_in_days: 1 })
  })
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Basic ${Buffer.from(`robot:${secret}`).toString('base64')}`, ...(init.headers as object) }
    const answer = await fetch(address + path, { ...init, headers })
    if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  await ask('/v2/')
  const { slug } = await app.db.selectFrom('registry_account').select('slug').where('account_id', '=', account_id).executeTakeFirstOrThrow()
  const key = await addDemoSigningKey(app, actor)
  for (const name of Object.keys(demoImages) as DemoImage[])
    for (const tag of Object.keys(demoImages[name].tags)) {
      const repository = `${slug}/${name}`
      await signImage(ask, repository, await pushIndex(ask, repository, name, tag), key)
    }
  const isOurs = sql`account_id = ${account_id} and name = ${robotName}`
  await app.db.transaction().execute((tx) => sql`update registry_robot set expires_at = null where ${isOurs}`.execute(tx))
}

async function pushIndex(ask: Ask, repository: string, name: DemoImage, tag: string): Promise<Described> {
  const { images, says } = buildDemoImage(name, tag)
  for (const image of images) {
    for (const { bytes, mediaType } of image.blobs) await pushBlob(ask, repository, bytes, mediaType)
    await listParts(ask, repository, await pushManifest(ask, repository, null, types.manifest, image.says), packagesOf(tag))
  }
  return pushManifest(ask, repository, tag, types.index, says)
}

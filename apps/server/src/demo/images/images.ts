import { gzipSync } from 'node:zlib'
import { systemActor, type App } from '../../kernel/app.ts'
import { createRobot } from '../../registry/index.ts'
import { addDemoSigningKey, listParts, signImage, type Package } from './attached.ts'
import { ownerEmail } from '../people.ts'
import { pushBlob, pushManifest, sha256, types, type Ask, type Described } from './push-image.ts'

const images = [
  { name: 'gps-tracker', about: 'positions over MQTT', tags: ['1.3.0', '1.4.0'] },
  { name: 'door-sensor', about: 'opened and closed', tags: ['0.4.2'] },
]
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
const machines = ['arm64', 'amd64'] as const

/** Pushes images of the demo's owner to the registry by its own protocol, as a build does: once, while there are none. */
export async function pushDemoImages(app: App, address: string): Promise<void> {
  const owner = await app.db.selectFrom('person').select(['id', 'account_id', 'email']).where('email', '=', ownerEmail).executeTakeFirst()
  if (!owner) return
  const { account_id, id: person_id, email } = owner
  const there = await app.db.selectFrom('registry_account').select('slug').where('account_id', '=', account_id).executeTakeFirst()
  if (there) return
  const actor = { ...systemActor(account_id, app.clock.now()), kind: 'member' as const, email, person_id }
  const { secret } = await app.db
    .transaction()
    .execute((tx) => createRobot(tx, actor, { name: 'ci-push', can_push: true, repositories: [], expires_in_days: null }))
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Basic ${Buffer.from(`robot:${secret}`).toString('base64')}`, ...(init.headers as object) }
    const answer = await fetch(address + path, { ...init, headers })
    if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  await ask('/v2/')
  const { slug } = await app.db.selectFrom('registry_account').select('slug').where('account_id', '=', account_id).executeTakeFirstOrThrow()
  const key = await addDemoSigningKey(app, actor)
  for (const { name, about, tags } of images)
    for (const tag of tags) {
      const made = { title: name, about, tag, at: app.clock.now() }
      await signImage(ask, `${slug}/${name}`, await pushIndex(ask, `${slug}/${name}`, made), key)
    }
}

type Made = { title: string; about: string; tag: string; at: Date }

async function pushIndex(ask: Ask, repository: string, made: Made): Promise<Described> {
  const manifests: object[] = []
  for (const architecture of machines) {
    const image = await pushImage(ask, repository, architecture, made)
    await listParts(ask, repository, image, packagesOf(made.tag))
    manifests.push({ ...image, platform: { os: 'linux', architecture } })
  }
  return pushManifest(ask, repository, made.tag, types.index, { manifests })
}

async function pushImage(ask: Ask, repository: string, architecture: string, { title, about, tag, at }: Made): Promise<Described> {
  const tars = [
    tarOf(`etc/${title}.conf`, `# ${title}: ${about}\ninterval = 30\n`),
    tarOf(`usr/bin/${title}`, `#!/bin/sh\n# ${architecture}\nexec echo "${title} ${tag}"\n`),
  ]
  const layers: Described[] = []
  for (const tar of tars) layers.push(await pushBlob(ask, repository, gzipSync(tar), types.layer))
  const config = {
    architecture,
    os: 'linux',
    created: at.toISOString(),
    author: 'Acme Telemetry',
    config: { Env: ['REGION=eu', 'BATCH=20'], Entrypoint: [`/usr/bin/${title}`], WorkingDir: '/srv', User: '1000' },
    rootfs: { type: 'layers', diff_ids: tars.map(sha256) },
    history: [{ created_by: `COPY ${title}.conf /etc/` }, { created_by: `COPY ${title} /usr/bin/` }],
  }
  const described = await pushBlob(ask, repository, Buffer.from(JSON.stringify(config)), types.config)
  return pushManifest(ask, repository, null, types.manifest, {
    config: described,
    layers,
    annotations: { 'org.opencontainers.image.title': title, 'org.opencontainers.image.version': tag },
  })
}

/** A tar of one file (POSIX.1-1988, ustar). */
function tarOf(name: string, text: string): Buffer {
  const header = Buffer.alloc(512)
  const size = Buffer.byteLength(text)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
  header.write(name, 0)
  header.write(octal(0o755, 8), 100)
  for (const at of [108, 116]) header.write(octal(0, 8), at)
  header.write(octal(size, 12), 124)
  header.write(octal(0, 12), 136)
  header.write('        0', 148)
  header.write('ustar\u000000', 257)
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7
    ),
    148
  )
  return Buffer.concat([header, Buffer.from(text), Buffer.alloc((512 - (size % 512)) % 512), Buffer.alloc(1024)])
}

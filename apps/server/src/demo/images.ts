import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { systemActor, type App } from '../kernel/app.ts'
import { createRobot } from '../registry/index.ts'
import { ownerEmail } from './people.ts'

const types = {
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
}
const images = [
  { name: 'gps-tracker', about: 'positions over MQTT', tags: ['1.3.0', '1.4.0'] },
  { name: 'door-sensor', about: 'opened and closed', tags: ['0.4.2'] },
]
const machines = ['arm64', 'amd64'] as const

const sha256 = (bytes: Uint8Array | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
type Described = { mediaType: string; digest: string; size: number }

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
  for (const { name, about, tags } of images)
    for (const tag of tags) await pushIndex(ask, `${slug}/${name}`, { title: name, about, tag, at: app.clock.now() })
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>
type Made = { title: string; about: string; tag: string; at: Date }

async function pushIndex(ask: Ask, repository: string, made: Made) {
  const manifests: object[] = []
  for (const architecture of machines)
    manifests.push({ ...(await pushImage(ask, repository, architecture, made)), platform: { os: 'linux', architecture } })
  await pushManifest(ask, repository, made.tag, types.index, { manifests })
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

async function pushBlob(ask: Ask, repository: string, bytes: Buffer<ArrayBuffer>, mediaType: string): Promise<Described> {
  const digest = sha256(bytes)
  await ask(`/v2/${repository}/blobs/uploads/?digest=${digest}`, { method: 'POST', body: bytes })
  return { mediaType, digest, size: bytes.length }
}

async function pushManifest(ask: Ask, repository: string, tag: string | null, mediaType: string, says: object): Promise<Described> {
  const content = JSON.stringify({ schemaVersion: 2, mediaType, ...says })
  const digest = sha256(content)
  await ask(`/v2/${repository}/manifests/${tag ?? digest}`, { method: 'PUT', body: content, headers: { 'content-type': mediaType } })
  return { mediaType, digest, size: Buffer.byteLength(content) }
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

import { gzipSync } from 'node:zlib'
import { tarEnd, tarHead } from '../../kernel/tar.ts'
import { describe, describeManifest, sha256, types, type Described } from './push-image.ts'

/** By name, with what they do and when each tag was built: always the same, so that devices can name them before they are pushed. */
export const demoImages = {
  'gps-tracker': { about: 'positions over MQTT', tags: { '1.3.0': '2026-06-02T08:12:40Z', '1.4.0': '2026-07-14T13:05:09Z' } },
  'door-sensor': {
    about: 'opened and closed',
    tags: { '0.4.1': '2026-05-28T09:44:21Z', '0.4.2': '2026-07-09T15:30:02Z', '0.5.0-rc1': '2026-07-21T11:17:56Z' },
  },
} satisfies Record<string, { about: string; tags: Record<string, string> }>
export type DemoImage = keyof typeof demoImages

const machines = ['arm64', 'amd64'] as const

type Blob = { bytes: Buffer<ArrayBuffer>; mediaType: string }
type Built = { blobs: Blob[]; says: object; described: Described }
type Made = { title: DemoImage; about: string; tag: string; at: string }

/** An image of the demo, as a build makes it: of each machine, and the index that names both. */
export function buildDemoImage(title: DemoImage, tag: string) {
  const { about, tags } = demoImages[title]
  const at = (tags as Record<string, string>)[tag] ?? '2026-08-01T00:00:00Z'
  const images = machines.map((architecture) => ({ architecture, ...buildFor(architecture, { title, about, tag, at }) }))
  const says = { manifests: images.map(({ architecture, described }) => ({ ...described, platform: { os: 'linux', architecture } })) }
  return { images, says, described: describeManifest(types.index, says) }
}

function buildFor(architecture: string, { title, about, tag, at }: Made): Built {
  const tars = [
    tarOf(`etc/${title}.conf`, `# ${title}: ${about}\ninterval = 30\n`),
    tarOf(`usr/bin/${title}`, `#!/bin/sh\n# ${architecture}\nexec echo "${title} ${tag}"\n`),
  ]
  const layers = tars.map((tar) => ({ bytes: gzipSync(tar), mediaType: types.layer }))
  const configuration = {
    architecture,
    os: 'linux',
    created: at,
    author: 'Acme Telemetry',
    config: { Env: ['REGION=eu', 'BATCH=20'], Entrypoint: [`/usr/bin/${title}`], WorkingDir: '/srv', User: '1000' },
    rootfs: { type: 'layers', diff_ids: tars.map(sha256) },
    history: [{ created_by: `COPY ${title}.conf /etc/` }, { created_by: `COPY ${title} /usr/bin/` }],
  }
  const config = { bytes: Buffer.from(JSON.stringify(configuration)), mediaType: types.config }
  const says = {
    config: describe(config.bytes, config.mediaType),
    layers: layers.map(({ bytes, mediaType }) => describe(bytes, mediaType)),
    annotations: { 'org.opencontainers.image.title': title, 'org.opencontainers.image.version': tag },
  }
  return { blobs: [...layers, config], says, described: describeManifest(types.manifest, says) }
}

function tarOf(name: string, text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([tarHead(name, bytes.length), bytes, tarEnd(bytes.length)])
}

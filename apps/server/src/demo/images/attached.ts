import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import type { Actor, App } from '../../kernel/app.ts'
import { addSigningKey } from '../../registry/index.ts'
import { pushBlob, pushManifest, types, type Ask, type Described } from './push-image.ts'

export const demoKeyName = 'release builds'

/** A key that the builds of the demo sign with. Nobody keeps its private half: what is pushed later by others is not signed with it. */
export async function addDemoSigningKey(app: App, actor: Actor): Promise<KeyObject> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await app.db.transaction().execute((tx) => addSigningKey(tx, actor, { name: demoKeyName, public_key }))
  return privateKey
}

/** Attaches one document to an image, as OCI 1.1 has it. */
async function attach(ask: Ask, repository: string, subject: Described, artifactType: string, layer: Described & { annotations?: object }) {
  const config = await pushBlob(ask, repository, Buffer.from('{}'), types.empty)
  await pushManifest(ask, repository, null, types.manifest, { artifactType, config, layers: [layer], subject })
}

/** Signs an image as `cosign sign` does. */
export async function signImage(ask: Ask, repository: string, image: Described, key: KeyObject): Promise<void> {
  const says = {
    critical: {
      identity: { 'docker-reference': repository },
      image: { 'docker-manifest-digest': image.digest },
      type: 'cosign container image signature',
    },
    optional: null,
  }
  const payload = Buffer.from(JSON.stringify(says))
  const blob = await pushBlob(ask, repository, payload, 'application/vnd.dev.cosign.simplesigning.v1+json')
  const annotations = { 'dev.cosignproject.cosign/signature': sign('sha256', payload, key).toString('base64') }
  await attach(ask, repository, image, 'application/vnd.dev.cosign.artifact.sig.v1+json', { ...blob, annotations })
}

export type Package = { name: string; version: string; licence: string; purl: string }

/** Attaches what an image is made of, in CycloneDX, as a scanner of the build writes it. */
export async function listParts(ask: Ask, repository: string, image: Described, packages: readonly Package[]): Promise<void> {
  const says = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { tools: { components: [{ type: 'application', name: 'syft', version: '1.4.0' }] } },
    components: packages.map(({ name, version, licence, purl }) => ({
      type: 'library',
      name,
      version,
      purl,
      licenses: [{ license: { id: licence } }],
    })),
  }
  const kind = 'application/vnd.cyclonedx+json'
  await attach(ask, repository, image, kind, await pushBlob(ask, repository, Buffer.from(JSON.stringify(says)), kind))
}

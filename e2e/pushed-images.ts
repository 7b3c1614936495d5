import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { openAccount } from './new-account.ts'

const digestOf = (bytes: string | Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const indexType = 'application/vnd.oci.image.index.v1+json'
type Layer = { bytes: Buffer; mediaType: string; annotations?: Record<string, string> }
type Pushed = { tag?: string; layers?: Layer[]; more?: object; config?: object }

/** An account of its own that pushes to one repository. */
export async function openRepository(page: Page) {
  await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Signed images' })
  const made = await page.request.post('/v1/registry/robots', { data: { name: 'ci', can_push: true } })
  const { secret } = (await made.json()) as { secret: string }
  const headers = { authorization: `Basic ${Buffer.from(`ci:${secret}`).toString('base64')}` }
  await page.request.get('/v2/', { headers })
  const { slug } = (await (await page.request.get('/v1/registry')).json()) as { slug: string }
  const name = `${slug}/relay`
  const push = async ({ tag, layers = [], more = {}, config = { os: 'linux', architecture: 'arm64' } }: Pushed) => {
    const configBytes = Buffer.from(JSON.stringify(config))
    for (const bytes of [configBytes, ...layers.map((layer) => layer.bytes)])
      await page.request.post(`/v2/${name}/blobs/uploads/?digest=${digestOf(bytes)}`, { headers, data: bytes })
    const described = { mediaType: 'application/vnd.oci.image.config.v1+json', digest: digestOf(configBytes), size: configBytes.length }
    const data = Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: manifestType,
        config: described,
        layers: layers.map(({ bytes, ...layer }) => ({ ...layer, digest: digestOf(bytes), size: bytes.length })),
        ...more,
      })
    )
    return putManifest(tag, data, manifestType)
  }
  const putManifest = async (tag: string | undefined, data: Buffer, type: string) => {
    const put = await page.request.put(`/v2/${name}/manifests/${tag ?? digestOf(data)}`, {
      headers: { ...headers, 'content-type': type },
      data,
    })
    expect(put.status(), await put.text()).toBe(201)
    return { digest: digestOf(data), size: data.length }
  }
  /** Of several platforms; each image runs what it is given. */
  const pushIndex = async (tag: string, commands: Record<string, string>) => {
    const manifests = []
    for (const [architecture, command] of Object.entries(commands)) {
      const image = await push({ config: { os: 'linux', architecture, config: { Cmd: [command] } } })
      manifests.push({ mediaType: manifestType, ...image, platform: { os: 'linux', architecture } })
    }
    return putManifest(tag, Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests })), indexType)
  }
  const attachedTo = ({ digest, size }: { digest: string; size: number }) => ({ subject: { mediaType: manifestType, digest, size } })
  return { name, push, pushIndex, attachedTo }
}

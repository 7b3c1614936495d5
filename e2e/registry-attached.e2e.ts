import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { enter } from './backoffice-page.ts'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

const digestOf = (bytes: string | Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const indexType = 'application/vnd.oci.image.index.v1+json'
type Layer = { bytes: Buffer; mediaType: string; annotations?: Record<string, string> }
type Pushed = { tag?: string; layers?: Layer[]; more?: object; config?: object }

/** An account of its own that pushes to one repository. */
async function openRepository(page: Page) {
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

test('an image is signed, and verified once its key is added', async ({ page, open, expectAccessible }) => {
  // Four screens, one after the other, each looked at for access.
  test.slow()
  const { name, push } = await openRepository(page)
  const image = await push({ tag: '1.0' })
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const payload = Buffer.from(JSON.stringify({ critical: { image: { 'docker-manifest-digest': image.digest } } }))
  const annotations = { 'dev.cosignproject.cosign/signature': sign('sha256', payload, privateKey).toString('base64') }
  const layer = { bytes: payload, mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json', annotations }
  await push({ tag: `${image.digest.replace(':', '-')}.sig`, layers: [layer] })
  await open('/registry')
  await page.getByRole('link', { name }).click()
  await page.getByRole('link', { name: '1.0', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Signatures' })
  await expect(panel).toContainText('The account has no signing key to verify it with')
  await expectAccessible()
  await panel.getByRole('link', { name: 'Signing keys' }).click()
  await expect(page.getByText('No data found').first()).toBeVisible()
  await page.getByRole('button', { name: 'Add signing key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add signing key' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('ci-key')
  await dialog.getByRole('textbox', { name: 'Public key' }).fill('no key')
  await dialog.getByRole('button', { name: 'Add signing key' }).click()
  await expect(dialog).toContainText('it begins with -----BEGIN PUBLIC KEY-----')
  await expectAccessible()
  await dialog.getByRole('textbox', { name: 'Public key' }).fill(publicKey.export({ type: 'spki', format: 'pem' }).toString())
  await dialog.getByRole('button', { name: 'Add signing key' }).click()
  await expect(page.getByRole('row', { name: /ci-key/ })).toContainText('ECDSA P-256')
  await expectAccessible()
  await page.goBack()
  await expect(panel).toContainText('It was made with the key ci-key, for this image')
  await panel.getByRole('link', { name: 'Signature', exact: true }).click()
  await expect(page.getByText(`This is attached to an image: ${image.digest}`)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Manifest' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Where it is deployed' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Files of layer 1' })).toHaveCount(0)
  await page.getByRole('link', { name: 'an image', exact: true }).click()
  await expect(panel).toBeVisible()
  await page.getByRole('link', { name: name, exact: true }).click()
  await expect(page.getByRole('row', { name: /1\.0/ }).getByText('Verified', { exact: true })).toBeVisible()
  await open('/registry/signing-keys')
  await page.getByRole('button', { name: 'Actions for ci-key' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove signing key' }).click()
  await expect(page.getByText('No data found').first()).toBeVisible()
})

test('packages of an image are listed, and compared with the advisories that staff loaded', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  // Two people, one after the other.
  test.slow()
  const file = [
    { id: 'E2E-1', severity: 'CRITICAL', name: 'lodash', fixed: '4.17.21' },
    { id: 'E2E-2', severity: 'LOW', name: 'left-pad', fixed: null },
  ].map(({ id, severity, name, fixed }) => ({
    id,
    summary: `${name} takes what it should not`,
    aliases: [`CVE-2021-${id}`],
    database_specific: { severity },
    affected: [
      { package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, ...(fixed ? [{ fixed }] : [])] }] },
    ],
  }))
  await signIn('staff')
  await enter(page)
  await open('/masa/advisories')
  await page.getByRole('button', { name: 'Load advisories' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Load advisories' })
  const buffer = Buffer.from(file.map((each) => JSON.stringify(each, null, 2)).join('\n'))
  await dialog.locator('input[type=file]').setInputFiles({ name: 'all.json', mimeType: 'application/json', buffer })
  await dialog.getByRole('button', { name: 'Load', exact: true }).click()
  await expect(dialog).toContainText('2 advisories are loaded.')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('row', { name: /npm/ })).toContainText('by their order')
  await expectAccessible()

  const { name, push, attachedTo } = await openRepository(page)
  const image = await push({ tag: '1.0' })
  const component = (of: string, version: string) => ({
    type: 'library',
    name: of,
    version,
    purl: `pkg:npm/${of}@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
  })
  const components = [
    component('lodash', '4.17.20'),
    component('left-pad', '1.3.0'),
    ...Array.from({ length: 60 }, (_, n) => component(`part-${n}`, `1.${n}.0`)),
  ]
  const sbom = { bomFormat: 'CycloneDX', specVersion: '1.5', metadata: { tools: [{ name: 'syft', version: '1.4' }] }, components }
  const layer = { bytes: Buffer.from(JSON.stringify(sbom)), mediaType: 'application/vnd.cyclonedx+json' }
  await push({ layers: [layer], more: { artifactType: layer.mediaType, ...attachedTo(image) } })
  await open('/registry')
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('row', { name: /1\.0/ })).toContainText('1 critical, 1 low')
  await page.getByRole('link', { name: '1.0', exact: true }).click()
  const found = page.getByRole('region', { name: 'Known vulnerabilities' })
  await expect(found.getByRole('row', { name: /lodash/ })).toContainText('4.17.21')
  await expect(found.getByRole('row', { name: /left-pad/ })).toContainText('not yet')
  const packages = page.getByRole('region', { name: 'Packages' })
  await expect(packages).toContainText('CycloneDX 1.5, by syft 1.4')
  await packages.getByRole('searchbox').fill('part-59')
  await expect(packages.getByRole('row', { name: /part-59/ })).toContainText('1.59.0')
  await expect(packages.getByRole('row', { name: /lodash/ })).toBeHidden()
  await expectAccessible()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
})

test('what a scanner reported stands in the same list, with who found it', async ({ page, open, expectAccessible }) => {
  const { name, push } = await openRepository(page)
  const { digest } = await push({ tag: '1.0' })
  const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
  const { account_id } = await db
    .selectFrom('registry_account')
    .select('account_id')
    .where('slug', '=', name.split('/')[0]!)
    .executeTakeFirstOrThrow()
  const at = new Date()
  const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 }
  await db
    .insertInto('registry_scan')
    .values({
      account_id,
      digest,
      urgent: true,
      due_at: null,
      asked_at: at,
      done_at: at,
      database_at: at,
      state: 'done',
      scanner: 'Trivy 0.50.1',
      vulnerabilities: 2,
      counts: JSON.stringify({ ...none, critical: 1, low: 1 }),
      beyond: JSON.stringify(none),
    })
    .execute()
  const found = (place: number, severity: 'critical' | 'low', of: string, fixed_in: string | null) => ({
    account_id,
    digest,
    place,
    severity,
    fixed_in,
    package: of,
    id: `CVE-2026-${place}`,
    summary: `${of} takes what it should not`,
    version: '1.0.0',
  })
  await db
    .insertInto('registry_scan_vulnerability')
    .values([found(1, 'critical', 'openssl', '1.0.1'), found(2, 'low', 'busybox', null)])
    .execute()
  await db.destroy()
  await open('/registry')
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('row', { name: /1\.0/ })).toContainText('1 critical, 1 low')
  await page.getByRole('link', { name: '1.0', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Known vulnerabilities' })
  await expect(panel).toContainText('Report of Trivy 0.50.1')
  await expect(panel.getByRole('row', { name: /openssl/ })).toContainText('Scanner Trivy 0.50.1')
  await expect(panel.getByRole('row', { name: /busybox/ })).toContainText('not yet')
  // This installation has no scanner any more: there is nobody to ask.
  await expect(panel.getByRole('button', { name: /^Scan/ })).toHaveCount(0)
  await expectAccessible()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(panel).toContainText('Scanner Trivy 0.50.1')
  await expectAccessible()
})

/** An archive with one file. */
function tarOf(path: string, content: string): Buffer {
  const header = Buffer.alloc(512)
  header.write(path, 0)
  header.write('0000644', 100)
  header.write(content.length.toString(8).padStart(11, '0'), 124)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  header.fill(' ', 148, 156)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148)
  return Buffer.concat([header, Buffer.from(content.padEnd(512, '\u0000')), Buffer.alloc(1024)])
}

test('files of a layer are listed, and a tag is compared with any other of many', async ({ page, open, expectAccessible }) => {
  test.slow()
  const { name, push } = await openRepository(page)
  const layer = (path: string, content: string) => ({
    bytes: gzipSync(tarOf(path, content)),
    mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
  })
  const of = (Cmd: string[], Env: string[]) => ({ os: 'linux', architecture: 'arm64', config: { Cmd, Env } })
  const base = layer('etc/base.conf', 'a=1')
  await push({ tag: '1.0', layers: [base, layer('usr/bin/relay', 'one')], config: of(['serve'], ['A=1']) })
  for (let nth = 0; nth < 100; nth++) await push({ tag: `nightly-${nth}` })
  await push({ tag: '1.1', layers: [base, layer('usr/bin/relay', 'another')], config: of(['run'], ['A=1', 'B=2']) })
  await open('/registry')
  await page.getByRole('link', { name }).click()
  await page.getByRole('link', { name: '1.1', exact: true }).click()
  await page.getByRole('button', { name: 'Files of layer 2' }).click()
  const files = page.getByRole('dialog', { name: 'Files of layer 2' })
  await expect(files.getByRole('row', { name: /usr\/bin\/relay/ })).toContainText('0644')
  await expectAccessible()
  await files.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Compare' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare 1.1' })
  await expect(dialog).toContainText('These are the first 100 tags')
  await dialog.getByRole('searchbox', { name: 'Find a tag' }).fill('1.0')
  await expect(dialog).toContainText('1 new, 1 gone')
  await expect(dialog.getByRole('row', { name: /Command/ })).toContainText('serve')
  await expect(dialog.getByRole('row', { name: /Environment B/ })).toContainText('set')
  await expectAccessible()
})

test('images of several platforms are compared by the platform that is chosen', async ({ page, open, expectAccessible }) => {
  test.slow()
  const { name, push, pushIndex } = await openRepository(page)
  await push({ tag: 'alone', config: { os: 'linux', architecture: 's390x' } })
  await pushIndex('1.0', { amd64: 'serve', arm64: 'serve', arm: 'serve' })
  await pushIndex('1.1', { amd64: 'serve', arm64: 'run' })
  await open('/registry')
  await page.getByRole('link', { name }).click()
  await page.getByRole('link', { name: '1.1', exact: true }).click()
  await page.getByRole('button', { name: 'Compare' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare 1.1' })
  await expect(dialog).toContainText('Only before: linux/arm.')
  await expect(dialog.getByRole('region', { name: 'Configuration' })).toContainText('It is the same.')
  await dialog.getByRole('button', { name: /^For the platform/ }).click()
  await page.getByRole('option', { name: 'linux/arm64' }).click()
  await expect(dialog.getByRole('row', { name: /Command/ })).toContainText('serve')
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible()
  await dialog.getByRole('button', { name: /^With the tag/ }).click()
  await page.getByRole('option', { name: 'alone' }).click()
  await expect(dialog).toContainText('They have no platform in common')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  // The image of one platform is what its tag leads to, and not named by it.
  await page.getByRole('link', { name: 'linux/arm64' }).click()
  const notice = page.getByText('This is one of the images of 1.1: the one for linux/arm64.')
  await expect(notice).toBeVisible()
  await expect(page.getByLabel('pull command', { exact: true })).toContainText(`${name}@sha256:`)
  await expect(page.getByRole('button', { name: 'Deploy' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Actions on 1.1' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete the image' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'All of 1.1' }).click()
  await expect(page.getByRole('region', { name: 'Images' })).toBeVisible()
  await pushIndex('1.1', { amd64: 'serve' })
  await page.goBack()
  await expect(page.getByText('The tag 1.1 names another image by now.')).toBeVisible()
})

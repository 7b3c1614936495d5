import { generateKeyPairSync, sign } from 'node:crypto'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { enter } from './backoffice-page.ts'
import { expect, test } from './fixtures.ts'
import { openRepository } from './pushed-images.ts'

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

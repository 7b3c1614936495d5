import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { connectAgent, findBare } from './agent-device.ts'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'
import { openRepository } from './pushed-images.ts'

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

test('an image that was pushed is shown, tagged, protected and deleted', async ({ page, signIn, open, expectAccessible }) => {
  // Three screens and two dialogs, each looked at for access.
  test.slow()
  await signIn('owner')
  const id = crypto.randomUUID().slice(0, 8)
  await open('/registry/robots')
  await page.getByRole('button', { name: 'Create robot' }).first().click()
  const create = page.getByRole('dialog', { name: 'Create robot' })
  await create.getByRole('textbox', { name: 'Name' }).fill(`ci-${id}`)
  await create.getByRole('checkbox', { name: /push and delete/ }).check()
  await expectAccessible()
  // What was typed is not gone with a press.
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Close without saving?' })
  await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused()
  await expectAccessible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(create.getByRole('textbox', { name: 'Name' })).toHaveValue(`ci-${id}`)
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect(create).toBeHidden()
  await expect(page.getByRole('button', { name: 'Create robot' }).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await create.getByRole('textbox', { name: 'Name' }).fill(`ci-${id}`)
  await create.getByRole('checkbox', { name: /push and delete/ }).check()
  await create.getByRole('button', { name: 'Create robot' }).click()
  const secret = await page.getByTestId('secret').innerText()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`ci-${id}`) })).toContainText('pull and push')

  const { slug } = (await (await page.request.get('/v1/registry')).json()) as { slug: string }
  const name = `${slug}/e2e-${id}`
  const authorization = `Basic ${Buffer.from(`${slug}:${secret}`).toString('base64')}`
  const config = JSON.stringify({ os: 'linux', architecture: 'arm64', config: { Env: ['TOKEN=secret'] } })
  const push = await page.request.post(`/v2/${name}/blobs/uploads/?digest=${digestOf(config)}`, {
    headers: { authorization },
    data: Buffer.from(config),
  })
  expect(push.status(), await push.text()).toBe(201)
  const mediaType = 'application/vnd.oci.image.manifest.v1+json'
  const described = { mediaType: 'application/vnd.oci.image.config.v1+json', digest: digestOf(config), size: config.length }
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType, config: described, layers: [] })
  const put = await page.request.put(`/v2/${name}/manifests/1.0`, {
    headers: { authorization, 'content-type': mediaType },
    data: Buffer.from(manifest),
  })
  expect(put.status(), await put.text()).toBe(201)

  await open('/registry')
  await page.getByRole('link', { name }).click()
  await expect(page).toHaveURL(new RegExp(`/registry/user/${slug}/image/e2e-${id}$`))
  // Under the name of another account one's own is shown.
  await open('/registry/user/somebody-else')
  await expect(page).toHaveURL(/\/registry$/)
  await open(`/registry/user/somebody-else/image/e2e-${id}`)
  await expect(page).toHaveURL(new RegExp(`/registry/user/${slug}/image/e2e-${id}$`))
  const row = page.getByRole('row', { name: /1\.0/ })
  await expect(row).toContainText('arm64')
  await row.getByRole('button', { name: 'Actions for 1.0' }).click()
  await page.getByRole('menuitem', { name: 'Add another tag' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Tag' }).fill('latest')
  await page.getByRole('dialog').getByRole('button', { name: 'Add tag' }).click()
  await expect(page.getByRole('row', { name: /latest/ })).toBeVisible()
  await expectAccessible()
  await page.getByRole('link', { name: '1.0', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: `e2e-${id}:1.0` })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Configuration' })).toContainText('TOKEN')
  await expectAccessible()
  const act = async (item: string) => {
    await page.getByRole('button', { name: 'Actions on 1.0' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await act('Protect')
  await page.getByRole('button', { name: 'Actions on 1.0' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete the image' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await act('End protection')
  await act('Delete the image')
  const deleting = page.getByRole('dialog', { name: 'Delete the image of 1.0?' })
  await expect(deleting).toContainText('These tags name it and are deleted with it: 1.0, latest.')
  await expect(deleting).toContainText('No device and no fleet needs them.')
  await expectAccessible()
  await deleting.getByRole('button', { name: 'Delete image' }).click()
  await expect(page.getByText('No data found').first()).toBeVisible()
})

test('an account without images is shown how to push one, and it fits 360 px', async ({ page, open, expectAccessible }) => {
  await openAccount(page, { email: `${crypto.randomUUID()}@example.test`, password: 'correct horse', team_name: 'Images' })
  await page.setViewportSize({ width: 360, height: 740 })
  await open('/registry')
  await expect(page.getByText('No data found').first()).toBeVisible()
  const commands = page.getByLabel('commands that push an image', { exact: true })
  await expect(commands).toContainText('docker login')
  // These pages are served without TLS.
  await expect(page.getByText('--tls-verify=false')).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: 'Push an image', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Push an image' }).getByText('docker push')).toBeVisible()
  await expectAccessible()
})

test('a tag is deployed from the registry, with a warning where its platform does not fit', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  const { items } = (await (await page.request.get('/v1/registry/repositories?page_size=1')).json()) as { items: { name: string }[] }
  const name = items[0]!.name
  const tags = await page.request.get(`/v1/registry/repositories/${encodeURIComponent(name)}/tags?page_size=1&sort=name`)
  const tag = ((await tags.json()) as { items: { name: string }[] }).items[0]!.name
  const { id, name: device } = await findBare(page, 'last')
  const made = await page.request.post(`/v1/assets/${id}/alpon/claim-code`)
  const { say, end } = await connectAgent(page, ((await made.json()) as { code: string }).code)
  const now = new Date().toISOString()
  const versions = { agent: '0.1.0', os: 'Debian 12', kernel: '6.6', engine: 'Docker 27.1.1' }
  const host = { name: 'truck', arch: 's390x', model: null, serial: null }
  const rest = { at: now, seq: 1, started_at: now, booted_at: now, interfaces: [], engine_words: null }
  await say(['agent', { ...rest, revision: 0, versions, host, containers: [] } as never, 'm1'])

  const [username, image] = [name.split('/')[0]!, name.split('/').slice(1).join('/')]
  // Its devices could not pull it again: whoever deletes it types its name.
  await open('/registry')
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const deleting = page.getByRole('dialog', { name: `Delete ${name}?` })
  await expect(deleting).toContainText('which continue to run it and cannot pull it again')
  await expect(deleting.getByRole('textbox', { name: `Type “${image}” to go on` })).toBeVisible()
  await deleting.getByRole('button', { name: 'Cancel' }).click()
  await open(`/registry/user/${username}/image/${encodeURIComponent(image)}`)
  await page.getByRole('button', { name: `Actions for ${tag}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Deploy' }).click()
  const where = page.getByRole('dialog', { name: `Deploy ${tag}` })
  await where.getByRole('button', { name: 'On a fleet' }).click()
  await expect(where.getByRole('list', { name: 'Fleets' })).toContainText('Pilot: ')
  await expectAccessible()
  await where.getByRole('button', { name: 'Where it runs' }).click()
  await expect(where.getByRole('list', { name: 'Devices that run it' }).or(where.getByText('No data found'))).toBeVisible()
  await expectAccessible()
  await where.getByRole('button', { name: 'On a device' }).click()
  await where.getByRole('searchbox', { name: 'Find a device' }).fill(device)
  await where.getByRole('link', { name: device, exact: true }).click()
  const deploy = page.getByRole('dialog', { name: `Deploy a container on ${device}` })
  await expect(deploy.getByRole('combobox', { name: 'Image and tag' })).toHaveValue(new RegExp(`/${name}:${tag}$`))
  await expect(deploy.getByText('the processor of this device is s390x')).toBeVisible()
  await expectAccessible()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible()
  await deploy.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/application$/)
  await end()
})

/** An account of its own with a few images of one repository. */
async function openImages(page: Page, tags: readonly string[]) {
  const { name, push } = await openRepository(page)
  for (const tag of tags) await push({ tag, config: { os: 'linux', architecture: 'arm64', author: tag } })
  return name
}

test('tags are ticked, one reads what would break, and deletes what breaks nothing', async ({ page, open, expectAccessible }) => {
  const name = await openImages(page, ['1.0', '1.1', 'stable', 'v2'])
  await open('/registry')
  await page.getByRole('button', { name: 'Immutable tags' }).click()
  const rules = page.getByRole('dialog', { name: 'Immutable tags' })
  await rules.getByRole('textbox', { name: 'Patterns' }).fill('v*')
  await expectAccessible()
  await rules.getByRole('button', { name: 'Save rules' }).click()
  await expect(rules).toBeHidden()
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('row', { name: /v2/ })).toContainText('Immutable')
  const size = page.getByRole('columnheader', { name: 'Size' })
  for (const [sorted, order] of [
    ['descending', ['stable', '1.1', '1.0', 'v2']],
    ['ascending', ['v2', '1.0', '1.1', 'stable']],
  ] as const) {
    await size.getByRole('button').click()
    await expect(size).toHaveAttribute('aria-sort', sorted)
    await expect(page.getByRole('table', { name: 'Tags' }).locator('tbody tr')).toContainText([...order])
  }
  await page.getByRole('searchbox', { name: 'Search tags' }).fill('1.')
  await expect(page.getByRole('row', { name: /stable/ })).toBeHidden()
  await page.getByRole('searchbox', { name: 'Search tags' }).fill('')
  await expect(page.getByRole('row', { name: /stable/ })).toBeVisible()
  for (const tag of ['1.0', '1.1', 'v2']) await page.getByRole('checkbox', { name: `Select ${tag}` }).check()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 3 tags of relay?' })
  await expect(dialog).toContainText('The rule v* makes it immutable.')
  await expect(dialog.getByRole('radio', { name: /Only what breaks nothing/ })).toBeChecked()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Delete 2 tags' }).click()
  await expect(page.getByRole('list', { name: 'Tags that were kept' })).toContainText('v2')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('row', { name: /stable/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /1\.0/ })).toBeHidden()
})

test('a rule is tried on the tags that are there, saved, and run', async ({ page, open, expectAccessible }) => {
  const name = await openImages(page, ['1.0', '1.1', '1.2', 'lts'])
  await open('/registry')
  await page.getByRole('link', { name: 'Retention' }).click()
  await expect(page.getByRole('button', { name: 'Clean up now' })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible()
  await page.getByRole('textbox', { name: 'Keep the newest' }).fill('1')
  await page.getByRole('textbox', { name: 'Keep what was pushed' }).fill('')
  await page.getByRole('textbox', { name: 'Keep tags like' }).fill('*.1')
  await page.getByRole('button', { name: 'Dry run' }).click()
  const tried = page.getByRole('region', { name: 'Dry run' })
  await expect(tried).toContainText('2 tags and 2 images would be deleted')
  await expect(tried.getByRole('row', { name: /1\.0/ })).toContainText('4th newest of 4')
  await tried.getByRole('button', { name: 'Kept, 2' }).click()
  await expect(tried.getByRole('row', { name: /1\.1/ })).toContainText('Its name is like *.1')
  await expectAccessible()
  // Left unsaved it is lost only if one says so.
  await page.getByRole('link', { name: 'Overview' }).click()
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(leaving).toContainText('The rule was changed and not saved.')
  await leaving.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save rule' }).click()
  await expect(page.getByText('It runs each night, at about')).toBeVisible()
  await page.getByRole('button', { name: 'Clean up now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clean up now' }).click()
  await expect(tried).toContainText('Tags were cleaned up since: try it again.')
  const list = page.getByRole('table', { name: 'Clean-ups' })
  await list.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'What was deleted and what was kept' }).click()
  await expect(page.getByRole('dialog')).toContainText('2 tags and 2 images were deleted, which freed')
  await expectAccessible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(`/registry/retention?repository=${encodeURIComponent(name)}`)
  await expect(page.getByText('All repositories')).toBeVisible()
  await open('/registry/retention?repository=nobody%2Fnone')
  await expect(page.getByRole('heading', { name: 'No such repository' })).toBeVisible()
})

test('images without a tag are counted in their repository, and deleted after a question', async ({ page, open, expectAccessible }) => {
  const name = await openImages(page, ['1.0', '1.1'])
  const slug = name.split('/')[0]!
  const untag = await page.request.delete(`/v1/registry/repositories/${encodeURIComponent(name)}/tags/1.0`)
  expect(untag.status(), await untag.text()).toBe(200)
  // What was pushed within the hour is not counted: it may be for what is pushed next.
  const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
  const { account_id } = await db.selectFrom('registry_account').select('account_id').where('slug', '=', slug).executeTakeFirstOrThrow()
  const pushed_at = new Date(Date.now() - 2 * 3_600_000)
  await db.updateTable('registry_manifest').set({ pushed_at }).where('account_id', '=', account_id).execute()
  await db.updateTable('registry_robot').set({ expires_at: pushed_at }).where('account_id', '=', account_id).execute()
  await db.destroy()
  await page.setViewportSize({ width: 360, height: 740 })
  await open(`/registry/user/${slug}/image/relay`)
  await expect(page.getByText(/^1 image without a tag takes /)).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: 'Delete images without a tag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 1 image without a tag?' })
  await expect(dialog).toContainText('no device and no fleet needs it')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Delete 1 image' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/without a tag takes/)).toBeHidden()
  await expect(page.getByText('1.1', { exact: true }).first()).toBeVisible()
  await open('/registry/robots')
  await expect(page.getByRole('table', { name: 'Robots' })).toContainText('Expired 2 h ago')
})

import { expect, test } from './fixtures.ts'
import { actLimited } from './limited-member.ts'

test('a view is saved, shared, watched, copied as curl and found by its link', async ({
  page,
  context,
  signIn,
  open,
  expectAccessible,
}) => {
  const name = `Heavy ${crypto.randomUUID().slice(0, 6)}`
  await signIn('owner')
  await open('/assets?search=usage:>1MB&sort=-usage&sim_status=active')
  await page.getByRole('button', { name: 'Save view' }).click()
  const form = page.getByRole('dialog', { name: 'Save view' })
  await expect(form).toContainText('usage:>1MB status:active')
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('button', { name: 'Save view' }).click()
  const views = page.getByRole('navigation', { name: 'Views' })
  await expect(views.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
  await expect(page).toHaveURL(/view=viw_/)
  const id = /view=(viw_\w+)/.exec(page.url())![1]!

  const menu = page.getByRole('button', { name: 'View', exact: true })
  await menu.click()
  await expect(page.getByRole('menuitem', { name: /Watch/ })).toContainText('Share it first')
  await page.getByRole('menuitem', { name: 'Share with the team' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Share' }).click()
  await expect(page.getByText('Shared with the team by you.')).toBeVisible()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Watch' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Watch' }).click()
  await expect(page.getByText('notifies the team when it is not empty')).toBeVisible()
  await expectAccessible()

  await views.getByRole('link', { name: 'All', exact: true }).click()
  await expect(page.getByRole('searchbox', { name: 'Search assets' })).toHaveValue('')
  await open(`/assets?view=${id}`)
  await expect(page.getByRole('searchbox', { name: 'Search assets' })).toHaveValue('usage:>1MB status:active')
  await expect(page).toHaveURL(/sort=-usage/)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  const copied = async () => decodeURIComponent((await page.evaluate('navigator.clipboard.readText()')) as string).replaceAll('+', ' ')
  await expect.poll(copied).toContain('q=usage:>1MB status:active')
  expect(await copied()).toMatch(/^# The key needs the scope assets\.view\.\ncurl 'http.*\/v1\/assets\?.*sort=-usage/)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page.getByText('Changed since it was saved.')).toBeVisible()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
  await expect(views.getByRole('link', { name })).toHaveCount(0)
})

test('whoever is limited to a tag reads at the button that others watch a view', async ({ page, signIn, open }) => {
  await signIn('owner')
  const post = async (path: string, data: object) => (await (await page.request.post(`/v1/${path}`, { data })).json()) as { id: string }
  const name = `Team ${crypto.randomUUID().slice(0, 6)}`
  const { id } = await post('asset-views', { name, q: 'usage:>1MB', shared: true })
  const { id: tag_id } = await post('tags', { name: `limited-${name.slice(5)}` })
  {
    await using _ = await actLimited(page, ['assets.view', 'notifications.view', 'notifications.edit'], tag_id)
    await open(`/assets?view=${id}`)
    await page.getByRole('button', { name: 'View', exact: true }).click()
    const watch = page.getByRole('menuitem', { name: /Watch/ })
    await expect(watch).toContainText('Somebody who sees all of them')
    await expect(watch).toHaveAttribute('aria-disabled', 'true')
  }
  await signIn('owner')
  await page.request.delete(`/v1/asset-views/${id}`)
})

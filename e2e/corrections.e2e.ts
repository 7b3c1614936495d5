import type { Page } from '@playwright/test'
import { enter } from './backoffice-page.ts'
import { expect, signInAs, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

const words = 'Counted twice, ticket 22'
const panel = (page: Page) => page.getByRole('table', { name: 'Corrections of usage' })

test('staff correct what a SIM used on a day and see beforehand what it does; the customer reads it, and it can be undone', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  await signIn('owner')
  const found = await page.request.get('/v1/assets?sim_status=active&sort=-usage&page_size=40')
  const { items } = (await found.json()) as { items: { id: string; name: string; sim: { usage: { limit_bytes: number | null } } }[] }
  // One with a limit, of which nothing was corrected yet: a second try finds what the first one did.
  const limited = items.filter(({ sim }) => sim.usage.limit_bytes !== null).toReversed()
  const counts = await Promise.all(
    limited.map(async ({ id }) => {
      const answer = await page.request.get(`/v1/assets/${id}/sim/corrections`)
      return ((await answer.json()) as { total: number }).total
    })
  )
  const asset = limited[counts.indexOf(0)]!
  await signIn('staff')
  await enter(page)
  await open(`/masa/assets/${asset.id}`)
  await expect(page.getByText('The usage of this SIM has not been corrected')).toBeVisible()
  const previews = /\/corrections\/preview/
  await page.route(previews, (route) => route.abort())
  await page.getByRole('button', { name: 'Correct usage' }).click()
  const form = page.getByRole('dialog', { name: `Correct the usage of ${asset.name}` })
  const effect = form.getByRole('region', { name: 'Effect' })
  // Without an answer it does not say that nothing was counted, and asks again.
  await expect(form.getByText('The effect could not be loaded')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Subtract all' })).toHaveAccessibleDescription('What was counted could not be loaded')
  await page.unroute(previews)
  await form.getByRole('button', { name: 'Try again' }).click()
  await expect(effect).toContainText('In the month of that day')
  // More than there is: said before anything is sent.
  await form.getByRole('textbox', { name: 'Upload' }).fill('9000000')
  await expect(form.getByText('You cannot subtract more than was counted')).toHaveCount(1)
  await form.getByRole('textbox', { name: 'Reason' }).fill(words)
  const apply = form.getByRole('button', { name: 'Apply correction' })
  await expect(apply).toHaveAttribute('aria-disabled', 'true')
  await form.getByRole('textbox', { name: 'Reason' }).press('Enter')
  await expect(form.getByText('You cannot subtract more than was counted')).toHaveCount(1)
  await form.getByRole('textbox', { name: 'Reason' }).fill('')
  await form.getByRole('button', { name: 'B', exact: true }).click()
  await form.getByRole('textbox', { name: 'Upload' }).fill('')
  await form.getByRole('button', { name: 'Add' }).click()
  await form.getByRole('button', { name: 'MB', exact: true }).click()
  await form.getByRole('textbox', { name: 'Download' }).fill('1.5')
  await expect(effect).toContainText('becomes')
  await expectAccessible()
  await form.getByRole('button', { name: 'Apply correction' }).click()
  await expect(form.getByText('Say why')).toBeVisible()
  await form.getByRole('textbox', { name: 'Reason' }).fill(words)
  await form.getByRole('button', { name: 'Apply correction' }).click()
  await expect(form).toBeHidden()
  await expect(panel(page)).toContainText('+1.5 MB')
  await expect(panel(page)).toContainText(words)
  await panel(page).getByRole('button', { name: 'Undo' }).click()
  const undo = page.getByRole('dialog', { name: 'Undo this correction?' })
  await undo.getByRole('textbox', { name: 'Reason' }).fill('A mistake')
  await undo.getByRole('button', { name: 'Undo correction' }).click()
  await expect(panel(page)).toContainText('−1.5 MB')
  await expectAccessible()

  await signIn('owner')
  await open(`/assets/${asset.id}`)
  await expect(panel(page)).toContainText(words)
  await expect(page.getByRole('main')).toContainText(new RegExp(`Corrected the usage of ${asset.name} on .* by \\+1\\.5 MB: ${words}`))
  await expect(panel(page).getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await expectAccessible()
})

test('who may not correct usage reads why', async ({ page, signIn, open }) => {
  await signIn('owner')
  const { items } = (await (await page.request.get('/v1/assets?page_size=1')).json()) as { items: { id: string }[] }
  const email = `corrector-${Date.now()}@example.test`
  const password = 'correct horse battery'
  await openAccount(page, { email, password, team_name: 'Support' })
  await signIn('staff')
  const headers = await enter(page)
  const data = { permissions: ['backoffice'], reason: 'Ticket 22: a test' }
  const granted = await page.request.patch(`/v1/backoffice/accounts/${email}/staff`, { headers, data })
  expect(granted.status(), await granted.text()).toBe(200)
  await signInAs(page, email, password)
  await enter(page, { password })
  await open(`/masa/assets/${items[0]!.id}`)
  const button = page.getByRole('button', { name: 'Correct usage' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await button.hover()
  await expect(page.getByText('You need the permission “Correct the usage of customers” for this').first()).toBeVisible()
})

import { expect, test } from './fixtures.ts'

test('a position is set on the page of an asset, stands on the map of the overview, and is removed again', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  const name = 'reefer-truck-0121'
  await signIn('owner')
  await open(`/assets?search=${name}`)
  await page.getByRole('link', { name, exact: true }).click()
  const location = page.getByRole('region', { name: 'Location' })
  await expect(location).toContainText('No position was set.')
  await location.getByRole('button', { name: 'Set position' }).click()
  const dialog = page.getByRole('dialog', { name: `Position of ${name}` })
  const submit = dialog.getByRole('button', { name: 'Set position' })
  await submit.click()
  await expect(dialog).toContainText('Enter latitude and longitude, like 52.2297, 21.0122')
  const field = dialog.getByRole('textbox', { name: 'Latitude, longitude' })
  await field.fill('91, 4')
  await submit.click()
  await expect(dialog).toContainText('A latitude is from -90 to 90 degrees')
  await field.fill('-33.8688, 151.2093')
  await submit.click()
  await expect(dialog).toBeHidden()
  await expect(location).toContainText('-33.8688, 151.2093')
  await expectAccessible()
  await location.getByRole('button', { name: 'Map', exact: true }).click()
  await location.getByRole('button', { name: 'Show as a list' }).click()
  await expect(location.getByRole('row', { name: new RegExp(name) })).toContainText('33.8688° S, 151.2093° E')

  await open('/')
  // The figures take the place of what was on its way.
  await expect(page.getByRole('img', { name: /^Data,/ })).toBeVisible()
  const places = page.getByRole('region', { name: 'Where they are' })
  await places.scrollIntoViewIfNeeded()
  await places.getByRole('button', { name: 'Show as a list' }).click()
  await places.getByRole('button', { name, exact: true }).click()
  await expect(page).toHaveURL(/#\/assets\/ast_/)
  await location.getByRole('button', { name: 'Remove the position' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(location).toContainText('No position was set.')
  await expect(location.getByRole('list', { name: 'Positions before, newest first' })).toContainText('-33.8688, 151.2093')
})

import { openProductDatabase } from '@masthead/testkit/product-database'
import { sql } from 'kysely'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
test.afterAll(() => db.destroy())

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

test('the map of the overview is also a list where no SIM has used data', async ({ page, open }) => {
  const email = `placed-${crypto.randomUUID().slice(0, 8)}@example.test`
  await openAccount(page, { email, password: 'correct horse battery', team_name: 'Placed' })
  const of = sql`(select account_id from person where email = ${email})`
  const id = `ast_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
  await sql`insert into asset (account_id, id, type, serial, name) values (${of}, ${id}, 'picolte', ${id}, 'buoy')`.execute(db)
  await sql`insert into asset_place (account_id, asset_id, since, latitude, longitude, set_by)
    values (${of}, ${id}, now(), 55.6, 13, ${email})`.execute(db)
  await open('/')
  // What comes takes the place of what was on its way.
  await expect(page.locator('.skeleton')).toHaveCount(0)
  const places = page.getByRole('region', { name: 'Where they are' })
  await places.scrollIntoViewIfNeeded()
  await expect(places).toContainText('no SIM has used data in 30 days')
  await places.getByRole('button', { name: 'Show as a list' }).click()
  await expect(places.getByRole('row', { name: /buoy/ })).toContainText('55.6000° N, 13.0000° E')
})

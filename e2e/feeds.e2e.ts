import { dialog, enter, table } from './backoffice-page.ts'
import { expect, test } from './fixtures.ts'

test('a feed is added, a file is uploaded for it, and its wrong lines are shown', async ({ page, signIn, open }) => {
  const name = `Carrier ${Date.now()}`
  await signIn('staff')
  await enter(page)
  await open('/masa/feeds')
  await page.getByRole('button', { name: 'Add feed' }).first().click()
  const add = dialog(page, 'Add a feed')
  await add.getByRole('textbox', { name: 'Name' }).fill(name)
  await add.getByRole('textbox', { name: 'Folder' }).fill('Not A Folder')
  await add.getByRole('button', { name: 'Add feed' }).click()
  await expect(add).toContainText('A folder is 1 to 60 lower-case letters')
  await add.getByRole('textbox', { name: 'Folder' }).fill('')
  await add.getByRole('button', { name: 'Add feed' }).click()
  const key = dialog(page, `The key of ${name}`)
  await expect(key.getByText(/^mhf_/)).toBeVisible()
  await key.getByRole('button', { name: 'I have saved it' }).click()
  const row = table(page, 'Feeds').getByRole('row', { name })
  await expect(row).toContainText('Never seen')

  await row.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Upload file' }).click()
  const upload = dialog(page, 'Upload a file of CDRs')
  const ended = new Date(Date.now() - 3_600_000).toISOString()
  const text = `id,imsi,ended_at,bytes_up,bytes_down\n${name}1,999990000000077,${ended},1,2\nr2,999990000000077,${ended},x,2\n`.replaceAll(
    `${name}1`,
    'r1'
  )
  await upload.locator('input[type=file]').setInputFiles({ name: 'cdr.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await upload.getByRole('button', { name: 'Upload', exact: true }).click()
  // It opens beside the list of files, and is in the address.
  const sheet = dialog(page, 'cdr.csv')
  await expect(sheet).toContainText('bytes_up: Whole bytes, from 0')
  await expect(sheet.getByText('Read', { exact: true })).toBeVisible()
  await page.reload()
  await expect(sheet).toContainText('bytes_up: Whole bytes, from 0')
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(table(page, 'Files').getByRole('row', { name: new RegExp(name) })).toContainText('cdr.csv')
  await page.getByRole('tab', { name: 'Differences' }).click()
  await expect(page.getByRole('main')).toContainText('SIMs compared')
})

test('on a phone, why a file of CDRs could not be read stands within the sheet', async ({ page, signIn, open }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const name = `Narrow ${Date.now()}`
  await signIn('staff')
  const headers = await enter(page)
  const answer = await page.request.post('/v1/backoffice/feeds', { headers, data: { name } })
  const { feed } = (await answer.json()) as { feed: { id: string } }
  const sent = await page.request.post(`/v1/backoffice/feeds/${feed.id}/files?name=narrow.csv`, {
    headers: { ...headers, 'content-type': 'text/csv' },
    data: `id,bytes,${name}\n1,2,3\n`,
  })
  const { file } = (await sent.json()) as { file: { id: string } }
  await open(`/masa/feeds?tab=files&file=${file.id}`)
  const words = dialog(page, 'narrow.csv').getByRole('alert')
  await expect(words).toContainText('There are no columns')
  const { x, width } = (await words.boundingBox())!
  expect(x + width).toBeLessThanOrEqual(360)
})

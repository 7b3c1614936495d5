import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const dialog = (page: Page) => page.getByRole('dialog')
/** A name that no other run has. */
const unique = (what: string) => `${what} ${Date.now().toString(36)}`
const clipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()') as Promise<string>

test('a key is made, tried, changed, rotated and revoked', async ({ page, context, signIn, open, expectAccessible }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn('owner')
  await open('/developer')
  await expect(page.getByRole('heading', { level: 1, name: 'API Keys' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Cold-chain dashboard/ })).toContainText('Read-only, 2 permissions')
  await expect(page.getByRole('row', { name: /Migration from the old system/ })).toContainText('Expired')
  await expectAccessible()

  const name = unique('Night job')
  await page.getByRole('button', { name: 'Create API key' }).click()
  await dialog(page).getByRole('button', { name: 'Create key' }).click()
  await expect(dialog(page).getByText('Choose at least one permission')).toBeVisible()
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByLabel('See assets and their SIMs').check()
  await dialog(page).getByLabel('Allowed IP addresses').fill('127.0.0.0/8\n::1\n10.0.0.0/33')
  await dialog(page).getByRole('button', { name: 'Create key' }).click()
  await expect(dialog(page).getByText('10.0.0.0/33 is no address and no range')).toBeVisible()
  await dialog(page).getByLabel('Allowed IP addresses').fill('127.0.0.0/8\n::1')
  await expectAccessible()

  // What a dialog would do, as a line for a terminal instead.
  await dialog(page).getByRole('button', { name: 'Copy as curl' }).click()
  await expect(page.getByText('Nothing was changed').first()).toBeVisible()
  expect(await clipboard(page)).toMatch(/^# The key needs the scope developers\.edit\.\ncurl -X POST '.*\/v1\/api-keys'/)

  await dialog(page).getByRole('button', { name: 'Create key' }).click()
  const shown = dialog(page).getByLabel('API key', { exact: true })
  const secret = (await shown.textContent())!
  expect(secret).toMatch(/^mhk_/)
  await page.keyboard.press('Escape')
  await expect(shown).toBeVisible()
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click()
  const answer = await page.request.get('/v1/assets', { headers: { 'x-api-key': secret, cookie: '' } })
  expect([answer.status(), answer.headers()['ratelimit-limit']]).toEqual([200, '600'])
  expect((await page.request.get('/v1/api-keys', { headers: { 'x-api-key': secret } })).status()).toBe(403)

  const row = page.getByRole('row', { name: new RegExp(name) })
  // The use is seen without a reload.
  await page.getByRole('link', { name: 'Overview' }).click()
  await open('/developer')
  await expect(row).toContainText('127.0.0.1')

  await row.getByText(name).click()
  await expect(dialog(page).getByText('assets.view')).toBeVisible()
  const address = page.url()
  await page.keyboard.press('Escape')
  await page.goto(address)
  await expect(dialog(page).getByRole('heading', { name })).toBeVisible()
  await page.keyboard.press('Escape')

  await row.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await dialog(page).getByRole('button', { name: 'Rotate', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click()
  await expect(row).toContainText('Two valid secrets')
  await row.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await dialog(page).getByRole('button', { name: 'Revoke key' }).click()
  await expect(row).toHaveCount(0)
  expect((await page.request.get('/v1/assets', { headers: { 'x-api-key': secret } })).status()).toBe(401)
  await open('/activities')
  await expect(page.getByText(`Deleted API key ${name}`)).toBeVisible()
})

test('a webhook is sent an event, fails, is sent again; its log says all of it', async ({ page, signIn, open, expectAccessible }) => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  let status = 500
  const receiver = createServer((request, reply) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(pieces).toString() })
      reply.writeHead(status).end(status === 500 ? 'the database is locked' : 'thanks')
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  try {
    await signIn('owner')
    await open('/developer?tab=webhooks')
    const name = unique('Ops channel')
    await page
      .getByRole('button', { name: /^Create (your first )?webhook/ })
      .first()
      .click()
    await dialog(page).getByLabel('Name').fill(name)
    await dialog(page)
      .getByLabel('URL', { exact: true })
      .fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`)
    await dialog(page).getByLabel('Events').click()
    await page.getByRole('option', { name: 'All tags events' }).click()
    await page.keyboard.press('Escape')
    await dialog(page).getByRole('button', { name: 'Create webhook' }).click()
    const secret = (await dialog(page).getByLabel('signing secret', { exact: true }).textContent())!
    await dialog(page).getByRole('button', { name: 'I have saved it' }).click()

    await page.getByText(name).click()
    await expect(page.getByText('No data found')).toBeVisible()
    // The row that was opened is gone: the keyboard and a screen reader go on in what took its place.
    await expect(page.getByRole('main')).toBeFocused()
    await page.getByRole('button', { name: 'Send a test' }).click()
    const row = page.getByRole('row', { name: /webhook\.test/ })
    await expect(row).toContainText('Answered with 500')
    status = 200
    await row.getByText('webhook.test').click()
    await expect(dialog(page).getByText('the database is locked').first()).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Send again' }).click()
    await expect(dialog(page).getByText('Delivered')).toBeVisible()
    await expect(dialog(page).getByText('thanks')).toBeVisible()
    await expectAccessible()
    await page.keyboard.press('Escape')
    await expectAccessible()

    const [{ headers, body }] = received.slice(-1) as [(typeof received)[number]]
    const signed = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${body}`
    const right = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(signed)
      .digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${right}`)
    // Tags that other tests make meanwhile are shown here as well.
    const tests = received.filter((each) => each.body.includes('webhook.test'))
    expect(new Set(tests.map((each) => each.headers['webhook-id'])).size).toBe(1)

    const tag = unique('tag')
    await page.request.post('/v1/tags', { data: { name: tag } })
    await expect.poll(() => received.some((each) => each.body.includes(tag))).toBe(true)
    // What comes while one reads is counted, and shown when one asks for it.
    await page.getByRole('button', { name: /^\d+ new/ }).click()
    await expect(page.getByRole('row', { name: /tags\.tag_created/ }).first()).toContainText('Delivered')

    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete webhook' }).click()
    await expect(page.getByRole('heading', { name })).toHaveCount(0)
    await expect(page.getByRole('row', { name: new RegExp(name) })).toHaveCount(0)
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
})

test('the API is browsed without signing in, and tried with a key', async ({ page, signIn, expectAccessible }) => {
  const openCall = async () => {
    await page.goto('/v1/docs')
    await expect(page.getByRole('heading', { level: 1, name: 'API' })).toBeVisible()
    await page.getByLabel('Search calls').fill('acted on')
    await page.getByRole('button', { name: 'The account being acted on' }).click()
  }
  await openCall()
  await expect(page.getByText('A session, or any API key.')).toBeVisible()
  await expectAccessible()
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await page.getByLabel('API key').fill('mhk_wrong')
  await send.click()
  const answer = page.getByRole('region', { name: 'Response', exact: true })
  await expect(answer).toContainText('Response 401')
  await signIn('owner')
  const key = await page.request.post('/v1/api-keys', { data: { name: unique('Docs'), scopes: ['faq'] } })
  const { id, secret } = (await key.json()) as { id: string; secret: string }
  await openCall()
  await page.getByLabel('API key').fill(secret)
  await send.click()
  await expect(answer).toContainText('Response 200')
  await expect(answer).toContainText('Acme Telemetry')
  await expect(answer).toContainText('ratelimit-remaining')
  await page.request.delete(`/v1/api-keys/${id}`)
})

test('any action goes to the clipboard by way of the palette', async ({ page, context, signIn, open }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn('owner')
  await open('/developer')
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: /Find a screen/ }).fill('curl')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Actions for Cold-chain dashboard' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await dialog(page).getByRole('button', { name: 'Disable', exact: true }).click()
  await expect(page.getByText('Nothing was changed').first()).toBeVisible()
  expect(await clipboard(page)).toMatch(/curl -X POST '.*\/v1\/api-keys\/key_\w+\/disable'/)
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('row', { name: /Cold-chain dashboard/ })).toContainText('Active')
})

test('the only filter of a list opens with the focus on an option, whenever its part comes, and gives the focus back once one is chosen', async ({
  page,
  signIn,
  open,
}) => {
  await signIn('owner')
  await open('/developer')
  const button = page.getByRole('button', { name: 'Filter', exact: true })
  const filters = page.getByRole('dialog', { name: 'Filters' })
  // The first time its part of the console is loaded with it, the second time it is there.
  for (const name of ['Expired', 'Active']) {
    await button.press('Enter')
    await expect(filters.locator('[role=option]:focus')).toHaveCount(1)
    await filters.getByRole('option', { name, exact: true }).press('Enter')
    await expect(filters).toBeHidden()
    await expect(button).toBeFocused()
    await expect(page).toHaveURL(new RegExp(`state=${name.toLowerCase()}`))
  }
})

import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

const newAccount = (page: Page, team_name: string) =>
  openAccount(page, { email: `bell-${crypto.randomUUID().slice(0, 8)}@example.test`, password: 'correct horse battery', team_name })

/** Something that is notified: a new API key. */
async function createKey(page: Page, name: string) {
  const answer = await page.request.post('/v1/api-keys', { data: { name, scopes: ['assets.view'] } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Signs in as somebody else who works on this account and may make keys. */
async function joinTeam(page: Page, owner: string) {
  const own = await newAccount(page, 'Second Bell')
  const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
  const find = (email: string) => db.selectFrom('person').select(['id', 'account_id']).where('email', '=', email).executeTakeFirstOrThrow()
  const [{ account_id }, { id: person_id }] = [await find(owner), await find(own)]
  const permissions = ['developers.view', 'developers.edit', 'assets.view']
  await db.insertInto('membership').values({ account_id, person_id, permissions, tags: [] }).execute()
  await db.destroy()
  const switched = await page.request.post('/v1/auth/switch_account', { data: { team_member_email: owner } })
  expect(switched.ok(), await switched.text()).toBe(true)
}

const alert = (page: Page, title: string | RegExp) => page.getByRole('row').filter({ hasText: title })

/** Turns pages until the alert is there: rules fire meanwhile, and what is newer stands before it. */
async function findAlert(page: Page, title: string) {
  const row = alert(page, title).first()
  await expect(async () => {
    if (!(await row.isVisible())) await page.getByRole('button', { name: 'Next page' }).click({ timeout: 1000 })
    await expect(row).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 20_000 })
  return row
}

test('the demo’s blocked SIMs are alerts, and one leads to its asset', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/notifications?source=policy')
  const row = await findAlert(page, 'reefer-truck-0147 has no service: data limit reached')
  await expect(row).toContainText('Warning')
  await expectAccessible()
  await row.click()
  const sheet = page.getByRole('dialog', { name: /reefer-truck-0147 has no service/ })
  await expect(sheet).toContainText('Used all of its 1 GB')
  await expect(page).toHaveURL(/alert=alr_/)
  await expectAccessible()
  await page.reload()
  await sheet.getByRole('link', { name: 'Open the asset' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'reefer-truck-0147' })).toBeVisible()
})

test('filters are in the address', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/notifications?severity=critical&source=policy')
  await expect(alert(page, 'cam-gantry-17 has no service: IMEI does not match')).toBeVisible()
  await expect(alert(page, 'Warning')).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove filter Severity' }).click()
  await findAlert(page, 'reefer-truck-0147 has no service')
})

test('an alert comes by itself, is read, and is acknowledged', async ({ page, browser, open, baseURL }) => {
  const colleague = await browser.newPage({ baseURL: baseURL! })
  await joinTeam(colleague, await newAccount(page, 'Bell Works'))
  const makeKey = (name: string) => createKey(colleague, name)
  await open('/notifications')
  await expect(page.getByText('No data found')).toBeVisible()
  await makeKey('first')
  await expect(alert(page, 'created API key first')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Alerts 1' })).toBeVisible()
  await makeKey('second')
  await expect(page.getByRole('tab', { name: 'Alerts 2' })).toBeVisible()
  // It is held back, and so none of "all" yet.
  await expect(page.getByRole('button', { name: /^1 new/ })).toBeVisible()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(alert(page, 'second')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Alerts 1' })).toBeVisible()
  const act = async (item: string) => {
    const actions = alert(page, 'first').getByRole('button', { name: /^Actions for/ })
    await actions.click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await act('Mark as unread')
  await expect(page.getByRole('tab', { name: 'Alerts 2' })).toBeVisible()
  await act('Mark as read')
  await expect(page.getByRole('tab', { name: 'Alerts 1' })).toBeVisible()
  await alert(page, 'first').getByRole('checkbox').check()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Acknowledge' }).click()
  await expect(alert(page, 'first')).toContainText('Resolved')
  await page.getByRole('button', { name: 'Acknowledge all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge all' }).click()
  await expect(alert(page, 'second')).toContainText('Resolved')
  await expect(page.getByRole('tab', { name: 'Alerts 0' })).toBeVisible()
  await colleague.close()
})

test('what one did oneself is no alarm, and is there when one asks for it', async ({ page, open }) => {
  await newAccount(page, 'Quiet Bell')
  await createKey(page, 'mine')
  await open('/notifications?own=true')
  await expect(alert(page, 'created API key mine')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Alerts 0' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page.getByText('No data found')).toBeVisible()
})

test('the worst that is open stands first, and the bell says how many critical ones there are', async ({ page, signIn, open }) => {
  await signIn('owner')
  await open('/notifications')
  const rows = page.getByRole('table', { name: 'Alerts' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('Critical')
  await expect(rows.nth(1)).toContainText('Open')
  const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications.* \d+ open critical alerts/ })
  await expect(bell).toBeVisible()
  await page.goto('/#/notifications?severity=critical&state=open')
  const [count] = /\d+(?= open critical)/.exec((await bell.getAttribute('aria-label'))!)!
  await expect(page.getByText(`of ${count}`, { exact: false }).first()).toBeVisible()
})

test('preferences are kept, and say what is wrong', async ({ page, open, expectAccessible }) => {
  await newAccount(page, 'Quiet Works')
  await open('/notifications?tab=preferences')
  const save = page.getByRole('button', { name: 'Save preferences' })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('checkbox', { name: 'E-mail: Warning' }).uncheck()
  await page.getByRole('checkbox', { name: /^Hold e-mails during quiet hours/ }).check()
  await page.getByRole('textbox', { name: 'To' }).fill('7 am')
  await save.click()
  await expect(page.getByText('Enter a time, like 22:00')).toBeVisible()
  await expectAccessible()
  await page.getByRole('textbox', { name: 'To' }).fill('06:30')
  await save.click()
  await expect(page.getByText('Your preferences are saved', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'To' })).toHaveValue('06:30')
  await expect(page.getByRole('checkbox', { name: 'E-mail: Warning' })).not.toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'E-mail: Critical' })).toBeChecked()
})

test('an invitation is answered where the bell shows it', async ({ page, browser, open, baseURL, signIn }) => {
  const team = `Bell Team ${crypto.randomUUID().slice(0, 6)}`
  await signIn('empty')
  await open('/')
  const other = await browser.newPage({ baseURL: baseURL! })
  await newAccount(other, team)
  const invite = async () => {
    const sent = await other.request.patch('/v1/tenancy/invitation', {
      data: { email: 'empty@demo.test', permissions: ['assets.view'], tags: [] },
    })
    expect(sent.ok(), await sent.text()).toBe(true)
  }
  const bell = page.getByRole('dialog', { name: 'Notifications' })
  await invite()
  await page.getByRole('button', { name: /pending invitation/ }).click()
  await bell.getByRole('button', { name: `Decline the invitation to ${team}` }).click()
  await expect(bell.getByText(team)).toBeHidden()
  await page.keyboard.press('Escape')
  await invite()
  await page.getByRole('button', { name: /pending invitation/ }).click()
  await expectAccessible(page, { part: '[role=dialog]' })
  await bell.getByRole('button', { name: `Accept the invitation to ${team}` }).click()
  await expect(page.getByText(`You are in the team ${team}`).first()).toBeVisible()
  const { member_of } = (await (await page.request.get('/v1/auth/user_info')).json()) as {
    member_of: { team_name: string; email: string }[]
  }
  const joined = member_of.find(({ team_name }) => team_name === team)!
  expect(joined).toBeTruthy()
  await page.request.post('/v1/tenancy/leave_team', { data: { owner_email: joined.email } })
  await other.close()
})

test('changed preferences are not left without a question', async ({ page, open, expectAccessible }) => {
  await newAccount(page, 'Careful Works')
  await open('/notifications?tab=preferences')
  await page.getByRole('checkbox', { name: 'E-mail: Warning' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  // Neither for another tab nor for another screen.
  await page.getByRole('tab', { name: 'Alerts' }).click()
  await expect(question).toBeVisible()
  await expectAccessible()
  await question.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tab', { name: 'Preferences' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expect(page.getByText('Your preferences are saved').first()).toBeVisible()
  await page.getByRole('tab', { name: 'Alerts' }).click()
  await expect(page.getByRole('tab', { name: 'Alerts' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Preferences' }).click()
  await page.getByRole('checkbox', { name: 'E-mail: Warning' }).click()
  await page.getByRole('link', { name: 'Overview' }).click()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
})

test('a mistake goes when it is mended, also at another field', async ({ page, open }) => {
  await newAccount(page, 'Mended Works')
  await open('/notifications?tab=preferences')
  await page.getByRole('checkbox', { name: /^Hold e-mails during quiet hours/ }).click()
  const from = page.getByRole('textbox', { name: 'From' })
  await from.fill('07:00')
  await page.getByRole('button', { name: 'Save preferences' }).click()
  const mistake = page.getByText('Quiet hours need a beginning and another time as their end')
  await expect(mistake).toBeVisible()
  // It stands at the end; the beginning mends it.
  await from.fill('22:00')
  await expect(mistake).toBeHidden()
  await from.fill('7 pm')
  await expect(page.getByText('Enter a time, like 22:00')).toBeVisible()
  await from.fill('19:00')
  await expect(page.getByText('Enter a time, like 22:00')).toBeHidden()
})

test('the bell counts invitations as they come, and leads to the answer', async ({ page, browser, open, baseURL }) => {
  const invited = await newAccount(page, 'Guest Works')
  await open('/')
  const bell = page.getByRole('button', { name: 'Notifications', exact: true })
  await expect(bell).toBeVisible()
  const other = await browser.newPage({ baseURL: baseURL! })
  await newAccount(other, 'Host Works')
  const sent = await other.request.patch('/v1/tenancy/invitation', { data: { email: invited, permissions: ['assets.view'], tags: [] } })
  expect(sent.ok(), await sent.text()).toBe(true)
  await page.getByRole('button', { name: 'Notifications, 1 pending invitation' }).click()
  await page
    .getByRole('dialog', { name: 'Notifications' })
    .getByRole('link', { name: /What to do/ })
    .click()
  await expect(page).toHaveURL(/notifications\?tab=invitations/)
  // Nobody has shown that the address is theirs: it takes the link that the owner hands over.
  await expect(page.getByRole('button', { name: 'Accept the invitation to Host Works' })).toBeDisabled()
  const made = await other.request.post('/v1/tenancy/invitation_link', { data: { email: invited } })
  await page.goto(((await made.json()) as { url: string }).url)
  await page.getByRole('button', { name: 'Accept the invitation to Host Works' }).click()
  await expect(bell).toBeVisible()
  await expect(page.getByText('You have no pending invitations')).toBeVisible()
  // The link did what it was for: nothing says that it is of no use.
  await expect(page.getByText('When somebody invites you to their team')).toBeVisible()
  await other.close()
})

test('a member limited by tags finds only what is about their assets', async ({ page, signIn, open }) => {
  await signIn('operator')
  const switched = await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  expect(switched.ok(), await switched.text()).toBe(true)
  await open('/notifications')
  await findAlert(page, 'reefer-truck-0147 has no service')
  await expect(alert(page, 'cam-gantry-17')).toHaveCount(0)
})

test('fits 360 px', async ({ page, signIn, open }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn('owner')
  for (const tab of ['alerts', 'preferences']) {
    await open(`/notifications?tab=${tab}`)
    await expect(page.getByRole('tabpanel').getByRole('checkbox').first()).toBeVisible()
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  }
})
